import { DataType, tableFromIPC, type Vector } from 'apache-arrow';
import { dateOfMilliseconds, decimalOfWords, type GridValue } from './grid-values.ts';

export type GridRow = Record<string, GridValue>;

function reader(vector: Vector): (index: number) => GridValue {
  const { type } = vector;
  if (DataType.isDecimal(type)) {
    return (index) => {
      const words = vector.get(index) as Uint32Array | null;
      return words === null ? null : decimalOfWords(words, type.scale);
    };
  }
  if (DataType.isDate(type)) {
    return (index) => {
      const at = vector.get(index) as number | Date | null;
      return at === null ? null : dateOfMilliseconds(Number(at));
    };
  }
  return (index) => {
    const value: unknown = vector.get(index);
    if (value === null || value === undefined) return null;
    return typeof value === 'bigint' ? value.toString() : (value as GridValue);
  };
}

/** Reads the rows of an Arrow stream, with exact decimals and dates as YYYY-MM-DD. */
export function rowsOfArrow(stream: Uint8Array): GridRow[] {
  const table = tableFromIPC(stream);
  const columns = table.schema.fields.map((field, index) => ({
    name: field.name,
    read: reader(table.getChildAt(index) as Vector),
  }));
  return Array.from({ length: table.numRows }, (_, row) =>
    Object.fromEntries(columns.map(({ name, read }) => [name, read(row)])),
  );
}
