"""Reads a JUnit file with junitparser, and prints what a reader of it knows: a JSON object."""

import json
import sys

from junitparser import xunit2

document = xunit2.JUnitXml.fromfile(sys.argv[1])
suites = [document] if isinstance(document, xunit2.TestSuite) else list(document)
cases = []
for suite in suites:
    for case in suite:
        cases.append(
            {
                "name": f"{case.classname}.{case.name}",
                "time": case.time,
                "results": [type(result).__name__ for result in case.result],
                "messages": [result.message or "" for result in case.result],
                "reruns": len(case.rerun_failures()),
                "flaky": len(case.flaky_failures()),
                "output": case.system_out or "",
            }
        )
# What the file says, and what junitparser counts itself.
said = {name: getattr(document, name) for name in ("tests", "failures", "errors")}
document.update_statistics()
counted = {name: getattr(document, name) for name in ("tests", "failures", "errors")}
print(json.dumps({"said": said, "counted": counted, "skipped": document.skipped, "cases": cases}))
