"""Draws Docs/Images/architecture.svg: the modules by height, and the path of a request through them."""

WIDTH, ROW, GAP, LEFT = 1000, 58, 12, 20
ROWS = [
    ("Your program", "#e8eaed", ["AF.request(…).validate().serializingDecodable(…)"]),
    ("Umbrella", "#d7e8ff", ["Airframe"]),
    ("Requests", "#e3f1dc", ["Encoding", "Core", "Serialization", "WebSocket", "Transfers", "OAuth"]),
    ("Observation", "#fdf0d5", ["Logging", "Metrics", "Tracing", "Inspection", "HAR"]),
    ("Layers", "#f6e3f3", ["Layers", "Authentication", "Cookies", "Compression", "Cache", "Connectivity"]),
    ("Seam", "#ffd9d0", ["Transport: one exchange"]),
    ("Engines", "#dff3f1", ["Socket", "Curl", "Mock", "yours"]),
    ("C libraries", "#eeeeee", ["nghttp2", "OpenSSL", "libcurl", "zlib · brotli · zstd", "libpsl", "SQLite"]),
]


def box(x, y, width, text, color):
    return (
        f'<rect x="{x:.0f}" y="{y}" width="{width:.0f}" height="{ROW - GAP}" rx="6" fill="{color}" stroke="#9aa0a6"/>'
        f'<text x="{x + width / 2:.0f}" y="{y + 29}" text-anchor="middle">{text}</text>'
    )


def main():
    height = LEFT * 2 + ROW * len(ROWS)
    parts = []
    for number, (title, color, names) in enumerate(ROWS):
        y = LEFT + number * ROW
        parts.append(f'<text x="{LEFT}" y="{y + 29}" font-weight="bold">{title}</text>')
        start, space = 150, WIDTH - 150 - LEFT - 40
        width = (space - GAP * (len(names) - 1)) / len(names)
        parts += [box(start + index * (width + GAP), y, width, name, color) for index, name in enumerate(names)]
    top, bottom, x = LEFT + 10, height - LEFT - ROW, WIDTH - 30
    parts.append(f'<path d="M {x} {top} V {bottom}" stroke="#5f6368" stroke-width="2" marker-end="url(#arrow)"/>')
    arrow = (
        '<marker id="arrow" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        '<path d="M 0 0 L 8 4 L 0 8 z" fill="#5f6368"/></marker>'
    )
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}">\n'
        "<title>The modules of Airframe, and the way of a request</title>\n"
        f'<defs>{arrow}</defs>\n<rect width="100%" height="100%" fill="#ffffff"/>\n'
        '<g font-family="sans-serif" font-size="13" fill="#202124">\n' + "\n".join(parts) + "\n</g>\n</svg>\n"
    )
    with open("Docs/Images/architecture.svg", "w", encoding="utf-8") as file:
        file.write(svg)


main()
