import { z } from 'zod';
import { formOf, isNothing, plainCell, type WrittenForm } from '../importer/written-cells.ts';
import { facilityFigureUpdateSchema } from './facility-figure.schema.ts';

/** Figures that are entered at once. */
export const MAX_FIGURE_LINES = 200;
const MAX_FIGURE_TEXT = 60_000;
/** Problems that are named at once; the others are counted. */
const MAX_PROBLEMS = 5;

const { title, date, value, currency, remark } = facilityFigureUpdateSchema.shape;
const lineSchema = z.object({ title, date, value, currency, remark });
/** What the columns are called where a line is refused. */
export const LINE_COLUMNS: Readonly<Record<string, string>> = {
  title: 'name',
  date: 'date',
  value: 'value',
  currency: 'currency',
  remark: 'remark',
};

/** A figure of a table, with the number of its line. */
export type FigureLine = z.output<typeof lineSchema> & { readonly line: number };

interface Row {
  readonly line: number;
  /** Name, date, value, currency, remark. */
  readonly cells: readonly string[];
}

const HAS_DIGIT = /\d/;

/** The rows of a table that was copied from a workbook, or written with semicolons. A line of headings is left out. */
function rowsOf(text: string): Row[] {
  const rows = text.split(/\r?\n/).flatMap((written, index): Row[] => {
    const cells = written.split(written.includes('\t') ? '\t' : ';').map((cell) => cell.trim());
    return cells.every((cell) => cell === '') ? [] : [{ line: index + 1, cells }];
  });
  const [first] = rows;
  const isHeading = first && !HAS_DIGIT.test(first.cells[1] ?? '') && !HAS_DIGIT.test(first.cells[2] ?? '');
  return isHeading ? rows.slice(1) : rows;
}

function readRow({ line, cells }: Row, form: WrittenForm): { figure?: FigureLine; problems: string[] } {
  const [name = '', day = '', figure = '', code = '', note = ''] = cells;
  if (cells.length > 5) return { problems: [`Line ${line} has more than 5 columns`] };
  const parsed = lineSchema.safeParse({
    title: name,
    date: plainCell({ type: 'date' }, day, form),
    value: plainCell({ type: 'decimal' }, figure, form, code),
    currency: isNothing(code) ? null : code.toUpperCase(),
    remark: note,
  });
  if (parsed.success) return { figure: { line, ...parsed.data }, problems: [] };
  return {
    problems: parsed.error.issues.map(
      ({ path, message }) => `Line ${line}, ${LINE_COLUMNS[String(path[0])]}: ${message}`,
    ),
  };
}

/** Reads figures of a borrower: a name, a date, a value and perhaps a currency and a remark in each line. */
function readFigureLines(text: string): { figures: FigureLine[]; problems: string[] } {
  const rows = rowsOf(text);
  if (rows.length === 0) return { figures: [], problems: ['Enter at least one figure'] };
  if (rows.length > MAX_FIGURE_LINES) return { figures: [], problems: [`At most ${MAX_FIGURE_LINES} figures at once`] };
  const cellsAt = (column: number) => rows.flatMap(({ cells }) => cells[column] ?? []);
  const form = formOf({ dates: cellsAt(1), numbers: cellsAt(2), isWorkbook: false });
  const open = [
    ...(form.unclearDate ? [`${form.unclearDate} is ambiguous. Write dates as 2026-09-30`] : []),
    ...(form.unclearNumber
      ? [`${form.unclearNumber} is ambiguous. Write it with a decimal point and two decimals`]
      : []),
  ];
  if (open.length > 0) return { figures: [], problems: open };
  const read = rows.map((row) => readRow(row, form));
  const figures = read.flatMap(({ figure }) => figure ?? []);
  const known = new Map<string, number>();
  const twice = figures.flatMap((figure) => {
    const key = `${figure.date} ${figure.title.toLowerCase()}`;
    const earlier = known.get(key);
    known.set(key, earlier ?? figure.line);
    return earlier === undefined ? [] : [`Line ${figure.line} repeats the name and date of line ${earlier}`];
  });
  return { figures, problems: [...read.flatMap(({ problems }) => problems), ...twice] };
}

/** Figures in lines, as `FigureLine`s. */
export const figureLinesSchema = z
  .string()
  .max(MAX_FIGURE_TEXT, `At most ${MAX_FIGURE_TEXT.toLocaleString('en')} characters`)
  .transform((text, context): FigureLine[] => {
    const { figures, problems } = readFigureLines(text);
    if (problems.length === 0) return figures;
    const rest = problems.length - MAX_PROBLEMS;
    const named = [...problems.slice(0, MAX_PROBLEMS), ...(rest > 0 ? [`And ${rest} more`] : [])];
    context.addIssue({ code: 'custom', message: named.join('. ') });
    return z.NEVER;
  });
