"""The 16 rules of the bench's tape as a user of fastexcel and polars would write them well.

One lazy pass of expressions over the whole sheet; a row with a fault goes to the errored part with every reason and its
cells as read, the others to the assets part. Both are Parquet with ZSTD. No rule is done in Python code by row.
"""

import json
import resource
import sys
import time
from datetime import date
from pathlib import Path

import fastexcel
import polars as pl

CUT_OFF = date(2026, 6, 30)
LATE = ["Late (16-30 days)", "Late (31-120 days)"]
STATUSES = {
    "current": "current",
    "fully paid": "paid",
    "in grace period": "pastDue",
    "late (16-30 days)": "delinquent",
    "late (31-120 days)": "delinquent",
    "charged off": "chargedOff",
}


def text(header: str) -> pl.Expr:
    return pl.col(header).cast(pl.String)


def number(header: str) -> pl.Expr:
    return pl.col(header).cast(pl.Float64, strict=False)


def amount(header: str) -> pl.Expr:
    return number(header).round(2, mode="half_to_even").cast(pl.Decimal(18, 4), strict=False)


def points(header: str) -> pl.Expr:
    return (number(header) * 100).round(8, mode="half_to_even").cast(pl.Decimal(18, 8), strict=False)


def day(header: str) -> pl.Expr:
    return pl.col(header).cast(pl.Date, strict=False)


def key(header: str) -> pl.Expr:
    return text(header).str.strip_chars().str.to_lowercase()


def failed(result: str, header: str) -> pl.Expr:
    """A cell that is there and gave nothing."""
    return pl.col(result).is_null() & pl.col(header).is_not_null()


started = time.perf_counter()
workbook, folder = sys.argv[1], Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
# `load_sheet_eager` with pyarrow takes the same processor time.
sheet = fastexcel.read_excel(workbook).load_sheet(0).to_polars()
read_at = time.perf_counter()
headers = sheet.columns

results = {
    "assetId": text("Loan ID").str.strip_chars(),
    "assetStatus": key("Status").replace_strict(STATUSES, default=None, return_dtype=pl.String),
    "isDelinquent": key("Status").is_in([late.lower() for late in LATE]),
    "sums.sum": amount("Funded amount"),
    "sums.outstandingSum": amount("Outstanding balance"),
    "dateFinanced": day("Funded date"),
    "dates.maturityDate": day("Maturity date"),
    "interestRate": points("Rate"),
    "originalLtv": points("LTV"),
    "creditScores.origination": number("FICO"),
    "sector": text("Sector").str.strip_chars(),
    "address.state": text("State").str.to_uppercase(),
    "remainingTerm": number("Months left"),
    "monthsOnBook": ((pl.lit(CUT_OFF) - day("Funded date")).dt.total_days() / 30.4375).round(1, mode="half_to_even"),
    "customFields.debtToIncome": (number("Total debt") / number("Income")).round(4, mode="half_to_even"),
    "creditScores.grade": pl.when((number("FICO") >= 660) & (number("Arrears") < 45_000))
    .then(pl.lit("prime"))
    .otherwise(pl.lit("other")),
}
beside = {
    "sums.sum.currency": pl.when(pl.col("sums.sum").is_not_null()).then(pl.lit("USD")),
    "sums.outstandingSum.currency": pl.when(pl.col("sums.outstandingSum").is_not_null()).then(pl.lit("USD")),
    "interestRate.kind": pl.when(pl.col("interestRate").is_not_null()).then(pl.lit("fix")),
    "remainingTerm.unit": pl.when(pl.col("remainingTerm").is_not_null()).then(pl.lit("months")),
    "remainingTerm.days": pl.col("remainingTerm") * 30.4375,
}
faults = [
    (pl.col("assetId").is_null(), "Loan ID is missing"),
    (pl.col("again"), "Loan ID is already used"),
    (pl.col("assetStatus").is_null(), "Status is missing or in none of the cases"),
    (failed("sums.sum", "Funded amount"), "Funded amount is not a number"),
    (pl.col("sums.sum") < 25, "Funded amount is below 25"),
    (failed("sums.outstandingSum", "Outstanding balance"), "Outstanding balance is not a number"),
    (pl.col("sums.outstandingSum") < 0, "Outstanding balance is below 0"),
    (pl.col("dateFinanced").is_null(), "Funded date is missing or not a date"),
    (failed("dates.maturityDate", "Maturity date"), "Maturity date is not a date"),
    (pl.col("dates.maturityDate") < date(2009, 7, 10), "Maturity date is before 2009-07-10"),
    (failed("interestRate", "Rate"), "Rate is not a number"),
    (pl.col("interestRate") < 0, "Rate is a negative rate"),
    (pl.col("interestRate") > 29.98, "Rate is above 29.98"),
    (failed("originalLtv", "LTV"), "LTV is not a number"),
    (failed("creditScores.origination", "FICO"), "FICO is not a number"),
    (pl.col("creditScores.origination") > 850, "FICO is above 850"),
    (failed("remainingTerm", "Months left"), "Months left is not a number"),
    ((number("Income") == 0) & pl.col("Total debt").is_not_null(), "Total debt is divided by zero"),
]
any_fault = pl.any_horizontal([fault.fill_null(False) for fault, _ in faults])

mapped = (
    sheet.lazy()
    .with_row_index("row", offset=2)
    .with_columns(**results)
    .with_columns(**beside, again=pl.col("assetId").is_not_null() & ~pl.col("assetId").is_first_distinct())
    .with_columns(faulty=any_fault)
    .collect()
)
assets = mapped.lazy().filter(~pl.col("faulty")).select("row", *results, *beside).with_row_index("sequenceIndex").collect()
# The list of reasons and the origin are only made for the rows that need them.
reasons = pl.concat_list([pl.when(fault).then(pl.lit(reason)) for fault, reason in faults]).list.drop_nulls()
errored = mapped.filter(pl.col("faulty")).select(
    "row", pl.struct(headers).struct.json_encode().alias("origin"), reasons.alias("errors")
)
assets.write_parquet(folder / "assets.parquet", compression="zstd")
errored.write_parquet(folder / "errored.parquet", compression="zstd")
elapsed = time.perf_counter() - started
usage = resource.getrusage(resource.RUSAGE_SELF)
print(
    json.dumps(
        {
            "elapsedMs": elapsed * 1000,
            "readMs": (read_at - started) * 1000,
            "assets": assets.height,
            "errored": errored.height,
            "cpuMs": (usage.ru_utime + usage.ru_stime) * 1000,
            "peakBytes": usage.ru_maxrss * 1024,
        }
    )
)
