"""One measurement in a process of its own: a sheet into typed Arrow-backed columns with fastexcel (calamine).

`read_workbook.py FILE [ROWS]`: all rows, or the first so many.
"""

import json
import resource
import sys
import time

import fastexcel

started = time.perf_counter()
used = time.process_time()
row_count = int(sys.argv[2]) if len(sys.argv) > 2 else None
frame = fastexcel.read_excel(sys.argv[1]).load_sheet(0, n_rows=row_count).to_polars()
elapsed = time.perf_counter() - started
used = time.process_time() - used
usage = resource.getrusage(resource.RUSAGE_SELF)
print(
    json.dumps(
        {
            "elapsedMs": elapsed * 1000,
            "rows": frame.height,
            "cells": frame.height * frame.width,
            "bytes": 0,
            "cpuMs": used * 1000,
            "peakBytes": usage.ru_maxrss * 1024,
        }
    )
)
