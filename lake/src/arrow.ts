import { toEpochDay } from '@tapeline/domain/dates/calendar-date.ts';
import { toScaled } from '@tapeline/domain/money/decimal.ts';
import type { LakeColumn } from '@tapeline/domain/tapes/target-schema.ts';
import {
  Bool,
  type DataType,
  DateDay,
  Decimal,
  Float64,
  Int32,
  makeData,
  Table,
  tableToIPC,
  Utf8,
  Vector,
  vectorFromArray,
} from 'apache-arrow';
import { RESULT_COLUMNS } from './asset-relation.ts';
import type { AssetPage } from './assets.ts';
import type { LakeValue } from './values.ts';

/** Media type of the Arrow stream format. */
export const ARROW_STREAM = 'application/vnd.apache.arrow.stream';

/** The page as one Arrow record batch in stream format; decimals are Decimal128 with the scale of the lake's column. */
export function toArrow(page: AssetPage): Uint8Array {
  const vectors: Record<string, Vector> = { id: text([...page.ids]) };
  vectors.row = vectorFromArray([...(page.columns.get('row') ?? [])] as (number | null)[], new Int32());
  vectors.loanTape = text(
    (page.columns.get('source') ?? []).map((source) => page.sources[Number(source)]?.tapeId ?? null),
  );
  for (const field of page.fields) {
    for (const column of field.columns) vectors[column.name] = vector(column, page.columns.get(column.name) ?? []);
  }
  for (const path of RESULT_COLUMNS) {
    // There are few results and their types differ; as text they keep every digit.
    vectors[path] = text((page.columns.get(path) ?? []).map((value) => (value === null ? null : String(value))));
  }
  return tableToIPC(new Table(vectors), 'stream');
}

const text = (values: readonly (string | null)[]): Vector => vectorFromArray([...values], new Utf8());

function vector(column: LakeColumn, values: readonly LakeValue[]): Vector {
  switch (column.type) {
    case 'DOUBLE':
      return vectorFromArray([...values] as (number | null)[], new Float64());
    case 'BOOLEAN':
      return vectorFromArray([...values] as (boolean | null)[], new Bool());
    case 'DATE':
      return days(values as readonly (string | null)[]);
    case 'DECIMAL(18,4)':
      return decimals(values as readonly (string | null)[], 4);
    case 'DECIMAL(18,8)':
      return decimals(values as readonly (string | null)[], 8);
    default:
      return text(values as readonly (string | null)[]);
  }
}

/** Arrow's validity bitmap: bit i is set if value i is present. */
function validity(values: readonly LakeValue[]): { nullBitmap: Uint8Array; nullCount: number } {
  const nullBitmap = new Uint8Array(Math.ceil(values.length / 8));
  let nullCount = 0;
  values.forEach((value, index) => {
    if (value === null) nullCount++;
    else nullBitmap[index >> 3] = (nullBitmap[index >> 3] ?? 0) | (1 << (index & 7));
  });
  return { nullBitmap, nullCount };
}

function days(values: readonly (string | null)[]): Vector {
  const data = Int32Array.from(values, (value) => (value === null ? 0 : toEpochDay(value)));
  return new Vector([
    makeData({ type: new DateDay(), length: values.length, data, ...validity(values) }),
  ]) as Vector<DataType>;
}

function decimals(values: readonly (string | null)[], scale: number): Vector {
  const words = new BigInt64Array(values.length * 2);
  values.forEach((value, index) => {
    const scaled = value === null ? 0n : toScaled(value, scale);
    words[index * 2] = BigInt.asIntN(64, scaled);
    words[index * 2 + 1] = scaled < 0n ? -1n : 0n;
  });
  const type = new Decimal(scale, 18);
  const data = new Uint32Array(words.buffer);
  return new Vector([makeData({ type, length: values.length, data, ...validity(values) })]) as Vector<DataType>;
}
