"""The borrowing base of the bench's contract as a user of polars would write it well.

`borrowing_base.py TAPE ROUNDS`: one lazy pass over the tape finds the scope, the pool and the rate of every asset and what each rule excludes; the
limits then cut the pool one after the other. Amounts are floating-point numbers, so the result is right to about a cent, not exactly; the names and
figures of the groups of each limit and the unknown values are left out. No rule is done in Python code by row.
"""

import json
import resource
import sys
import time
from datetime import date

import polars as pl

col = pl.col
SCORE, STATE, GRADE, PRODUCT = col("creditScores.origination"), col("address.state"), col("creditScores.grade"), col("product")
OUTSTANDING, MONTHS, STATUS = col("sums.outstandingSum"), col("monthsOnBook"), col("assetStatus")
STATES = ["CA", "NY", "TX", "FL", "IL", "PA", "OH", "GA", "NC", "MI"]

ELIGIBILITY = [
    OUTSTANDING.is_not_null(),
    SCORE >= 600,
    SCORE <= 850,
    col("creditScores.current") >= 560,
    OUTSTANDING >= 500,
    OUTSTANDING <= 49_000,
    col("sums.sum") <= 50_000,
    col("interestRate") >= 5,
    col("interestRate") <= 29,
    col("interestRate.kind") == "fix",
    col("term.days") <= 2192,
    col("remainingTerm.days") >= 60,
    MONTHS >= 1,
    MONTHS <= 60,
    col("dateFinanced") >= date(2021, 1, 1),
    col("dates.maturityDate") <= date(2033, 12, 31),
    GRADE.is_in(["A", "B", "C", "D", "E", "F"]),
    ~col("sector").is_in(["Gambling", "Weapons"]),
    STATE.is_not_null(),
    col("borrowerId").is_not_null(),
    PRODUCT.is_in(["Consumer", "Auto", "Home"]),
    col("originalLtv") <= 98,
    col("currentLtv") <= 110,
    col("assetType") == "loan",
    col("address.country") == "US",
]
PERFORMANCE = [
    col("daysPastDue") <= 30,
    ~col("isDelinquent"),
    STATUS.is_in(["current", "slowPayment", "pastDue"]),
    col("sums.arrears") <= 1000,
    STATUS != "chargedOff",
    (col("sums.paidPrincipal") > 0) | (MONTHS <= 3),
]
SCOPES = [SCORE >= 740, SCORE >= 680, PRODUCT == "Auto", PRODUCT == "Home", SCORE.is_not_null()]
CASES = [(STATE == state) & GRADE.is_in(["A", "B", "C"]) for state in STATES]
RATES = [90 - index for index in range(len(STATES))] + [75]
LEFT = col("left")


def first(conditions: list[pl.Expr], otherwise: int | None) -> pl.Expr:
    """The index of the first condition that is true."""
    chain = pl.when(conditions[0]).then(pl.lit(0, pl.Int16))
    for index, condition in enumerate(conditions[1:], 1):
        chain = chain.when(condition).then(pl.lit(index, pl.Int16))
    return chain.otherwise(pl.lit(otherwise, pl.Int16))


def failing(rules: list[pl.Expr]) -> list[pl.Expr]:
    return [~rule.fill_null(False) for rule in rules]


def tallies(name: str, rules: list[pl.Expr]) -> list[pl.Expr]:
    """Count and amount of the assets that fail each rule."""
    return [
        each
        for index, fails in enumerate(failing(rules))
        for each in (fails.sum().alias(f"{name}{index}.count"), col("amount").filter(fails).sum().alias(f"{name}{index}.amount"))
    ]


def cut(pool: pl.DataFrame, group: str, limit: float) -> pl.DataFrame:
    """Cuts each group to the limit."""
    whole = LEFT.sum().over(group)
    return pool.with_columns(left=pl.when(whole > limit).then(LEFT * limit / whole).otherwise(LEFT))


def cut_largest(pool: pl.DataFrame, group: str, count: int, limit: float) -> pl.DataFrame:
    """Cuts the largest groups to the limit together. Groups that were cut to the same limit are equal but for rounding: the first by name count."""
    sums = pool.group_by(group).agg(LEFT.sum(), name=col(f"{group} name").first())
    largest = sums.sort(col("left").round(4), "name", descending=[True, False]).head(count)
    whole = largest["left"].sum()
    if whole <= limit:
        return pool
    return pool.with_columns(left=pl.when(col(group).is_in(largest[group].to_list())).then(LEFT * limit / whole).otherwise(LEFT))


def cut_where(pool: pl.DataFrame, condition: pl.Expr, limit: float) -> pl.DataFrame:
    """Cuts the assets that meet a condition to the limit together."""
    whole = pool.select(LEFT.filter(condition).sum()).item()
    return pool if whole <= limit else pool.with_columns(left=pl.when(condition).then(LEFT * limit / whole).otherwise(LEFT))


def calculate(path: str) -> dict[str, float]:
    assets = (
        pl.scan_parquet(path)
        .with_columns(amount=OUTSTANDING.cast(pl.Float64).fill_null(0), scope=first(SCOPES, None))
        .filter(col("scope").is_not_null())
        .with_columns(
            unfit=first(failing(ELIGIBILITY), None),
            late=first(failing(PERFORMANCE), None),
            case=first(CASES, len(CASES)),
        )
    )
    is_fit, is_late = col("unfit").is_null(), col("late").is_not_null()
    excluded = assets.select(*tallies("eligibility", ELIGIBILITY), *[each for each in tallies("performance", PERFORMANCE)])
    firsts = assets.group_by("scope", "unfit", pl.when(is_fit).then(col("late")).alias("late")).agg(pl.len(), col("amount").sum())
    members = assets.filter(is_fit & ~is_late).select(
        "scope",
        "case",
        score=SCORE,
        term=col("term.days"),
        state=col("code:address.state"),
        sector=col("code:sector"),
        grade=col("code:creditScores.grade"),
        product=col("code:product"),
        borrower=col("code:borrowerId"),
        **{"state name": STATE, "borrower name": col("borrowerId")},
        left=col("amount"),
    )
    excluded, firsts, pool = pl.collect_all([excluded, firsts, members])
    before = pool["left"].sum()
    for group, percent in [("state", 12), ("sector", 20), ("grade", 30), ("product", 45), ("borrower", 0.002)]:
        pool = cut(pool, group, before * percent / 100)
    pool = cut_largest(pool, "borrower", 10, before * 0.01 / 100)
    pool = cut_largest(pool, "state", 3, before * 30 / 100)
    pool = cut_where(pool, col("term") > 1800, before * 20 / 100)
    pool = cut_where(pool, col("score") < 640, before * 10 / 100)
    average = pool.select((LEFT * col("score")).sum() / LEFT.sum()).item()
    if average < 660:
        raise SystemExit("the weighted score is below its limit, which this program does not flag")
    advanced = pool.group_by("scope", "case").agg(LEFT.sum(), pl.len())
    rates = pl.Series(RATES, dtype=pl.Float64)
    net = (advanced["left"] * rates.gather(advanced["case"].cast(pl.UInt32))).sum() / 100
    return {"pool": pool.height, "excess": before - pool["left"].sum(), "net": net, "rules": excluded.width + firsts.height}


tape, rounds = sys.argv[1], int(sys.argv[2])
result = calculate(tape)
elapsed, cpu = [], []
for _ in range(rounds):
    used = resource.getrusage(resource.RUSAGE_SELF)
    started = time.perf_counter()
    calculate(tape)
    elapsed.append((time.perf_counter() - started) * 1000)
    now = resource.getrusage(resource.RUSAGE_SELF)
    cpu.append((now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime) * 1000)
print(json.dumps({**result, "elapsedMs": elapsed, "cpuMs": cpu}))
