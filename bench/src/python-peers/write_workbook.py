"""One measurement in a process of its own: a Parquet file as an Excel workbook with XlsxWriter.

`write_workbook.py PARQUET XLSX ROWS`: the first so many rows; a head, dates, amounts and percentages in Excel's own forms, blanks left out; rows go to
disk as they are written (`constant_memory`), which is how XlsxWriter writes large sheets.
"""

import json
import resource
import sys
import time

import polars as pl
import xlsxwriter

started = time.perf_counter()
frame = pl.scan_parquet(sys.argv[1]).select(pl.exclude("^code:.*$")).head(int(sys.argv[3])).collect()
workbook = xlsxwriter.Workbook(sys.argv[2], {"constant_memory": True})
sheet = workbook.add_worksheet("Assets")
head = workbook.add_format({"bold": True})
date = workbook.add_format({"num_format": "yyyy-mm-dd"})
amount = workbook.add_format({"num_format": "#,##0.00##"})
writers = []
for index, (name, kind) in enumerate(frame.schema.items()):
    sheet.write_string(0, index, name, head)
    if kind == pl.String:
        writers.append((index, sheet.write_string, None))
    elif kind == pl.Boolean:
        writers.append((index, sheet.write_boolean, None))
    elif kind == pl.Date:
        writers.append((index, sheet.write_datetime, date))
    else:
        writers.append((index, sheet.write_number, amount if kind.is_decimal() else None))
for at, row in enumerate(frame.iter_rows(), start=1):
    for index, write, form in writers:
        value = row[index]
        if value is not None:
            write(at, index, value, form)
workbook.close()
elapsed = time.perf_counter() - started
usage = resource.getrusage(resource.RUSAGE_SELF)
print(
    json.dumps(
        {
            "elapsedMs": elapsed * 1000,
            "cpuMs": (usage.ru_utime + usage.ru_stime) * 1000,
            "peakBytes": usage.ru_maxrss * 1024,
        }
    )
)
