import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { ReactNode } from 'react';
import {
  DateText,
  Figure,
  Measured,
  type MeasuredValue,
  Money,
  Name,
  Percent,
  ShortNumber,
} from '../figures/figures.tsx';
import type { FigureValue } from '../figures/format.ts';
import { StatusChip } from '../page/chip.tsx';

/** Where a cell is on the card of a row: name and amount in the first line, date and state in the second. */
export type CardPlace = 'control' | 'name' | 'amount' | 'date' | 'state';

/** What every column has. */
interface Frame {
  /** Includes the unit of a figure, which is not repeated in each cell: "Amount (USD)". */
  head: ReactNode;
  /** Muted text, for cells that only explain. */
  quiet?: boolean;
  /** Hidden under 640 px. */
  wideOnly?: boolean;
  /** Marked, because its details are shown next to the table. */
  isShown?: boolean;
  /** Its place in the `cards` layout; a column without one is not on the card. */
  card?: CardPlace | null;
}

/** A column whose cells the page draws. */
export interface DrawnColumn<Row> extends Frame {
  cell: (row: Row) => ReactNode;
  /** Right-aligned with tabular figures. */
  numeric?: boolean;
  /** Holds a control for the row, such as a checkbox, and is never the row's link. */
  control?: boolean;
  /** The cell in the total row. */
  total?: ReactNode;
  /** Text that may take several lines, so that the columns fit. */
  wraps?: boolean;
  /** Never on several lines. Figures are not either. */
  oneLine?: boolean;
  /** How the rows are sorted by the column. */
  sorted?: 'ascending' | 'descending' | undefined;
}

/** Null and undefined are unknown. */
type Read<Row, Value> = (row: Row) => Value | null | undefined;

interface Unknown<Row> {
  /** Why a value is unknown, for all rows or for one. */
  unknown?: string | ((row: Row) => string | undefined);
}

type MoneyValue = { sum: DecimalText; currency: string } | DecimalText;

interface Figures<Row, Value> extends Frame, Unknown<Row> {
  digits?: number;
  zero?: 'dash' | 'figure';
  /** In the total row, drawn as the cells are. */
  total?: Value | null;
}

interface MoneyColumn<Row> extends Figures<Row, MoneyValue> {
  money: Read<Row, MoneyValue>;
  withCurrency?: boolean;
}

interface PercentColumn<Row> extends Figures<Row, FigureValue> {
  percent: Read<Row, FigureValue>;
  /** Without the sign, which is in the head. */
  bare?: boolean;
}

interface FigureColumn<Row> extends Figures<Row, FigureValue> {
  figure: Read<Row, FigureValue>;
}

/** Values in the units that each row measures in. */
interface MeasuredColumn<Row> extends Frame, Unknown<Row> {
  measured: (row: Row) => MeasuredValue;
}

interface ShortColumn<Row> extends Figures<Row, FigureValue> {
  short: Read<Row, FigureValue>;
}

interface DateColumn<Row> extends Frame, Unknown<Row> {
  date: Read<Row, string | Date>;
  /** For an instant; `bare` if the head names the time zone. */
  time?: boolean | 'bare';
  total?: ReactNode;
}

interface NameColumn<Row> extends Frame {
  name: (row: Row) => string;
  /** Characters that are shown. */
  length?: number;
  /** In small print under the name: what it belongs to. */
  under?: (row: Row) => string;
  total?: ReactNode;
}

interface StatusColumn<Row> extends Frame {
  status: (row: Row) => string;
  total?: ReactNode;
}

/** A column says what its cells show; how a value of its kind is written and aligned is the same in every table. */
export type Column<Row> =
  | DrawnColumn<Row>
  | MoneyColumn<Row>
  | PercentColumn<Row>
  | FigureColumn<Row>
  | MeasuredColumn<Row>
  | ShortColumn<Row>
  | DateColumn<Row>
  | NameColumn<Row>
  | StatusColumn<Row>;

/** A column with its cells drawn. */
export function drawnColumn<Row>(column: Column<Row>): DrawnColumn<Row> {
  if ('cell' in column) return column;
  const { head, quiet, wideOnly, isShown, card } = column;
  const frame = { head, quiet, wideOnly, isShown, card };
  if ('name' in column) {
    const { name, length, under, total } = column;
    const first = (row: Row) => <Name length={length}>{name(row)}</Name>;
    if (!under) return { ...frame, total, cell: first };
    const both = (row: Row) => (
      <>
        {first(row)}
        <span className="block text-xs text-ink-3">
          <Name length={length}>{under(row)}</Name>
        </span>
      </>
    );
    return { ...frame, total, cell: both };
  }
  if ('status' in column) {
    const { status, total } = column;
    return { ...frame, oneLine: true, total, cell: (row) => <StatusChip status={status(row)} /> };
  }
  const { unknown } = column;
  const reasonFor = (row: Row) => (typeof unknown === 'function' ? unknown(row) : unknown);
  if ('date' in column) {
    const { date, time, total } = column;
    return {
      ...frame,
      oneLine: true,
      total,
      cell: (row) => <DateText value={date(row)} time={time} unknown={reasonFor(row)} />,
    };
  }
  if ('measured' in column) {
    const { measured } = column;
    return { ...frame, numeric: true, cell: (row) => <Measured {...measured(row)} unknown={reasonFor(row)} /> };
  }
  const figures = <Value,>(
    read: Read<Row, Value>,
    total: Value | null | undefined,
    draw: (value: Value | null | undefined, reason: string | undefined) => ReactNode,
  ): DrawnColumn<Row> => ({
    ...frame,
    numeric: true,
    cell: (row) => draw(read(row), reasonFor(row)),
    total: total === undefined ? undefined : draw(total, typeof unknown === 'string' ? unknown : undefined),
  });
  const { digits, zero } = column;
  if ('money' in column) {
    return figures(column.money, column.total, (value, reason) => (
      <Money value={value} unknown={reason} digits={digits} zero={zero} withCurrency={column.withCurrency} />
    ));
  }
  if ('percent' in column) {
    return figures(column.percent, column.total, (value, reason) => (
      <Percent value={value} unknown={reason} digits={digits} zero={zero} bare={column.bare} />
    ));
  }
  if ('short' in column) {
    return figures(column.short, column.total, (value, reason) => (
      <ShortNumber value={value} unknown={reason} digits={digits} zero={zero} />
    ));
  }
  return figures(column.figure, column.total, (value, reason) => (
    <Figure value={value} unknown={reason} digits={digits} zero={zero} />
  ));
}
