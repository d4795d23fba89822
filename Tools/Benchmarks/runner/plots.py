"""Results as bar charts in SVG, without a library: text that a diff can show."""

from html import escape

BAR, GAP, LABEL, PLOT, VALUE = 16, 8, 210, 400, 110
OURS, PEERS, TEXT = "#d9480f", "#868e96", "#495057"


def chart(title, unit, bars):
    """Horizontal bars, shortest first. `bars` are (name, value, least, most); least and most may be None."""
    bars = sorted(bars, key=lambda bar: bar[1])
    longest = max(max(value, most or 0) for _, value, _, most in bars) or 1
    height = 44 + len(bars) * (BAR + GAP) + 8
    width = LABEL + PLOT + VALUE
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
             f'font-family="system-ui, sans-serif" font-size="13" fill="{TEXT}" role="img">',
             f"<title>{escape(title)}, {escape(unit)}</title>",
             f'<text x="0" y="18" font-size="15" font-weight="600">{escape(title)}</text>',
             f'<text x="{width}" y="18" text-anchor="end">{escape(unit)}</text>']
    for row, (name, value, least, most) in enumerate(bars):
        y = 36 + row * (BAR + GAP)
        middle = y + BAR / 2
        colour = OURS if name.startswith("airframe") else PEERS
        parts.append(f'<text x="{LABEL - 10}" y="{middle + 4.5}" text-anchor="end">{escape(name)}</text>')
        parts.append(f'<rect x="{LABEL}" y="{y}" width="{scaled(value, longest)}" height="{BAR}" rx="2" fill="{colour}"/>')
        if most is not None:
            parts.append(f'<path d="M{LABEL + scaled(least, longest)} {middle}H{LABEL + scaled(most, longest)}" '
                         f'stroke="{TEXT}" stroke-width="1.5"/>')
        end = LABEL + scaled(max(value, most or 0), longest) + 8
        parts.append(f'<text x="{end}" y="{middle + 4.5}">{figure(value)}</text>')
    return "\n".join(parts + ["</svg>"]) + "\n"


def scaled(value, longest):
    return round(value / longest * PLOT, 1)


def figure(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def bars_of(columns, results, first_column):
    """What a scenario's chart shows: CPU time with its spread for requests, else the first column of the table."""
    if columns == "requests":
        return "CPU µs a request", [(name, result["cpuMicrosPerRequest"], result["leastCPU"], result["mostCPU"])
                                    for name, result in results.items()]
    heading, value = first_column
    return heading, [(name, value(result), None, None) for name, result in results.items()]
