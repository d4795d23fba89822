"""Builds one documentation site for all modules, with the guides as articles, into .build/docs/site.

usage: build.py MODULES: the folder of the compiled modules. It fails on every warning and on every link that leads
nowhere.
"""

import glob
import json
import os
import re
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor

import articles
import graphs

UMBRELLA = "Airframe"
STAGE = ".build/docs/stage"
ARCHIVES = ".build/docs/archives"
SITE = ".build/docs/site"

TOPICS = [
    ("Start", ["Tutorial", "Recipes", "Requests", "Errors", "Migrating", "Testing", "CommandLine", "Lifetime"]),
    ("Making requests", ["Sending", "Forms", "Streams", "Transfers", "WebSocket", "HTTP2", "Interceptors", "Retries"]),
    ("Connecting", ["Connections", "Configuration", "Layers", "Engines", "Reachability"]),
    ("Trust and identity", ["Security", "Authentication", "OAuth", "Cookies"]),
    ("Operation", ["Caching", "Logging", "Observability", "Inspecting", "Deploying", "Sharing"]),
    ("Design", ["Tenets", "Architecture", "Concurrency", "Performance", "Measurements", "Conformance", "Compatibility",
                "Decisions"]),
]


def documented_modules():
    """The modules that the package index documents: those that users import, the umbrella last."""
    found = re.findall(r"^ *- (Airframe[A-Za-z]*)$", open(".spi.yml", encoding="utf-8").read(), re.MULTILINE)
    return sorted(found, key=lambda module: module == UMBRELLA)


def manifest():
    """The package's manifest, as SwiftPM describes it."""
    return json.loads(graphs.run("swift", "package", "--scratch-path", ".build/docs/manifest", "dump-package"))


def internal_modules(package, documented):
    """The modules without a product, whose public types other modules export: links to them become code."""
    return [
        target["name"]
        for target in package["targets"]
        if (target.get("path") or "").startswith("Modules/")
        and target["type"] == "regular"
        and target["name"] not in documented
    ]


def dependencies(package):
    """For each module, the modules that it can link to: those that it depends on, directly or not."""
    direct = {
        target["name"]: [next(iter(entry.values()))[0] for entry in target["dependencies"]]
        for target in package["targets"]
    }

    def reach(module, seen):
        for other in direct.get(module, []):
            if other not in seen:
                seen.add(other)
                reach(other, seen)
        return seen

    return {module: reach(module, set()) for module in direct}


def ordered(modules, reachable):
    """The modules, each after those that it depends on."""
    return sorted(modules, key=lambda module: (module == UMBRELLA, len(reachable[module] & set(modules)), module))


def catalogue(module):
    """The folder of a module's catalogue."""
    found = glob.glob(f"*/*/{module}.docc")
    if len(found) != 1:
        raise SystemExit(f"{module} has {len(found)} catalogues: one {module}.docc is expected in its folder")
    return found[0]


def stage_guides(folder, broken):
    """Copies the files of Docs into the umbrella's catalogue as articles, and lists them on its page."""
    files = sorted(glob.glob("Docs/**/*.md", recursive=True))
    pages = articles.Articles(files)
    for path in files:
        text = pages.convert(path)
        if articles.name(path) == "Decisions":
            numbers = [articles.name(file) for file in files if re.match(r"\d{4}-", os.path.basename(file))]
            text += "\n\n## Topics\n\n### All decisions\n\n" + "".join(f"- <doc:{number}>\n" for number in numbers)
        with open(f"{folder}/{articles.name(path)}.md", "w", encoding="utf-8") as file:
            file.write(text)
    for image in glob.glob("Docs/Images/*"):
        shutil.copy(image, folder)
    listed = {article for _, group in TOPICS for article in group}
    expected = {articles.name(path) for path in files if not re.match(r"\d{4}-", os.path.basename(path))}
    for difference in sorted(listed ^ expected):
        broken.append(f"Tools/documentation/build.py: TOPICS and Docs differ in {difference}")
    page = f"{folder}/{UMBRELLA}.md"
    text = open(page, encoding="utf-8").read()
    topics = "".join(
        f"\n### {title}\n\n" + "".join(f"- <doc:{article}>\n" for article in group) for title, group in TOPICS
    )
    with open(page, "w", encoding="utf-8") as file:
        file.write(text.replace("\n## Topics\n", f"\n## Topics\n{topics}", 1))
    broken += pages.broken


def convert(module, links):
    """Builds the archive of one module and returns what DocC has to say about it."""
    command = [
        "docc", "convert", f"{STAGE}/{module}/{module}.docc",
        "--additional-symbol-graph-dir", f"{STAGE}/{module}/graphs",
        "--fallback-display-name", module, "--fallback-bundle-identifier", f"airframe.{module}",
        "--fallback-default-module-kind", "Module", "--enable-experimental-external-link-support",
        "--output-path", f"{ARCHIVES}/{module}.doccarchive", "--diagnostic-level", "warning", "--ide-console-output",
    ]
    for other in links:
        command += ["--dependency", f"{ARCHIVES}/{other}.doccarchive"]
    result = graphs.subprocess.run(command, capture_output=True, text=True)
    problems = [line for line in (result.stdout + result.stderr).split("\n") if re.search(r"(warning|error):", line)]
    if result.returncode != 0 and not problems:
        problems = [result.stdout + result.stderr]
    return problems


def main():
    built = sys.argv[1]
    modules = documented_modules()
    package = manifest()
    internal = internal_modules(package, modules)
    reachable = dependencies(package)
    for folder in (STAGE, ARCHIVES, SITE):
        shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(ARCHIVES)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda name: graphs.extract(name, built, f"{STAGE}/{name}/graphs"), modules + internal))

    symbols = {name: graphs.load(f"{STAGE}/{name}/graphs") for name in modules + internal}
    linker = graphs.Linker({name: graphs.Paths(loaded) for name, loaded in symbols.items()})
    for name in internal:
        shutil.rmtree(f"{STAGE}/{name}")
    problems = []
    for module in modules:
        links = [other for other in ordered(modules, reachable) if other in reachable[module]]
        linker.rewrite(module, links, symbols[module])
        shutil.copytree(catalogue(module), f"{STAGE}/{module}/{module}.docc")
    stage_guides(f"{STAGE}/{UMBRELLA}/{UMBRELLA}.docc", problems)
    problems += linker.broken

    done, waiting = set(), ordered(modules, reachable)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        while waiting:
            ready = [name for name in waiting if reachable[name] & set(modules) <= done]
            links = {name: [other for other in modules if other in reachable[name]] for name in ready}
            for found in pool.map(lambda name: convert(name, links[name]), ready):
                problems += found
            done |= set(ready)
            waiting = [name for name in waiting if name not in done]

    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        raise SystemExit(f"{len(problems)} problems in the documentation")
    graphs.run(
        "docc", "merge", *(f"{ARCHIVES}/{module}.doccarchive" for module in sorted(modules)),
        "--synthesized-landing-page-name", "Airframe", "--synthesized-landing-page-kind", "Package",
        "--synthesized-landing-page-topics-style", "list", "--output-path", SITE,
    )
    pages = sum(name.endswith(".json") for _, _, names in os.walk(f"{SITE}/data") for name in names)
    print(f"{SITE}: {len(modules)} modules, {pages} pages")


main()
