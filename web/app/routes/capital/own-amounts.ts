import type { LineBasis, OwnPart } from '@tapeline/domain/capital/line-basis.ts';
import type { OwnAmounts } from '@tapeline/domain/capital/own-amounts.schema.ts';
import { excuseReasonSchema } from '@tapeline/domain/capital/own-amounts.schema.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { percentageSchema } from '@tapeline/domain/documents/number.schema.ts';
import { minorUnitProblem, notNegativeSchema } from '@tapeline/domain/money/amount.schema.ts';
import { type DecimalText, decimalOf } from '@tapeline/domain/money/decimal.ts';
import { readTypedNumber, textOfUnread } from '@tapeline/domain/money/typed-number.ts';
import { z } from 'zod';
import { withoutBlanks } from '../../components/forms/blank.ts';
import { formOfUnit, PERCENT_FORM } from '../../http/number-units.ts';

/** One amount of an investor as a person typed it. It is read with the review, which says what is wrong with it. */
const partSchema = z.object({
  line: z.coerce.number().int().min(0).max(200),
  /** Of the line, which may have moved since. */
  title: z.string().max(150),
  value: z.string().max(100).default(''),
  excused: z.boolean().default(false),
});

const entrySchema = z.object({
  commitment: idSchema,
  parts: z.array(partSchema).max(200).default([]),
  reason: z.string().max(1_000).default(''),
  /** Typed in the row that is open: it takes the place of what was applied before. */
  isTyped: z.boolean().default(false),
  /** Of the excuse: the id of a file. */
  document: idSchema.optional(),
  /** Why a new file of the excuse could not be stored. */
  refused: z.string().max(1_000).optional(),
});
export type OwnEntry = z.output<typeof entrySchema>;

/** Fields of a form of a call or distribution with the amounts that a person set for single investors. */
export const ownShape = {
  own: withoutBlanks(z.array(entrySchema).max(2_000), 'commitment'),
  /** The row that is open for changes: its commitment, and the line that was chosen. */
  adjusting: z
    .string()
    .regex(/^[0-9a-f]{24}:\d{1,3}$/)
    .optional(),
  /** Closes the row that is open, without what was typed in it. */
  cancel: z.boolean().default(false),
  /** The commitment whose own amounts are forgotten. */
  undo: idSchema.optional(),
  /** Forgets all own amounts. */
  discardOwn: z.boolean().default(false),
};

interface OwnForm {
  readonly own: readonly OwnEntry[];
  readonly adjusting?: string | undefined;
  readonly undo?: string | undefined;
  readonly cancel: boolean;
  readonly discardOwn: boolean;
}

/** A row that is open for changes, with what was typed and what is wrong with it. */
export interface Adjusting {
  readonly commitment: string;
  readonly line: number;
  readonly entry: OwnEntry;
  readonly problem: string | null;
}

/** What people set for single investors. */
export interface ReadOwn {
  readonly own: OwnAmounts[];
  /** As the fields of the form hold it, without what is not read. */
  readonly entries: OwnEntry[];
  readonly adjusting: Adjusting | null;
}

interface LineTitle {
  readonly title: string;
  /** A tax by each investor’s rate, which is typed with a percent sign. */
  readonly isRate?: boolean;
}

const blank = (commitment: string): OwnEntry => ({ commitment, parts: [], reason: '', isTyped: false });

/** What was applied, and in its place what was typed since. */
function latestOf({ own, cancel }: OwnForm): OwnEntry[] {
  const typed = cancel ? [] : own.filter(({ isTyped }) => isTyped);
  const isReplaced = new Set(typed.map(({ commitment }) => commitment));
  return [...own.filter(({ isTyped, commitment }) => !isTyped && !isReplaced.has(commitment)), ...typed];
}

/** The place of the line that a part is of: it may have moved, or be gone. */
function placeOf(lines: readonly LineTitle[], { line, title }: OwnEntry['parts'][number]): number | null {
  if (lines[line]?.title === title) return line;
  const found = lines.findIndex((one) => one.title === title);
  return found < 0 ? null : found;
}

type Read = { readonly part: OwnPart | null } | { readonly problem: string };

/** Reads one amount, or the rate of a tax. */
function readPart({ value, excused }: OwnEntry['parts'][number], { isRate }: LineTitle, currency: string): Read {
  if (excused) return { part: { excused: true } };
  const text = value.trim();
  if (text === '') return { part: null };
  const isPercent = isRate === true && text.endsWith('%');
  const form = isPercent ? PERCENT_FORM : formOfUnit(currency);
  const number = readTypedNumber(text, form);
  if (number.problem !== null) return { problem: textOfUnread(number, text, form) };
  const checked = isPercent
    ? percentageSchema.safeParse(Number(number.value))
    : notNegativeSchema.safeParse(number.value);
  if (!checked.success) return { problem: checked.error.issues[0]?.message ?? 'is not read' };
  if (isPercent) return { part: { ratePercent: decimalOf(number.value) } };
  const digits = minorUnitProblem(number.value, currency);
  return digits === null ? { part: { amount: number.value } } : { problem: digits };
}

/**
 * Reads what a person set for single investors. What is wrong with it opens the row again, and leaves the row as it
 * comes out by the rules.
 */
export function readOwn(form: OwnForm, lines: readonly LineTitle[], currency: string): ReadOwn {
  const own: OwnAmounts[] = [];
  const entries: OwnEntry[] = [];
  const [opened, line] = form.adjusting?.split(':') ?? [];
  let adjusting: Adjusting | null = null;
  for (const entry of form.discardOwn ? [] : latestOf(form)) {
    if (entry.commitment === form.undo) continue;
    const parts = lines.map((): OwnPart | null => null);
    const kept: OwnEntry['parts'] = [];
    let problem: { line: number; text: string } | null = entry.refused ? { line: 0, text: entry.refused } : null;
    for (const part of entry.parts) {
      const place = placeOf(lines, part);
      if (place === null) continue;
      const read = readPart(part, lines[place]!, currency);
      if ('problem' in read) problem ??= { line: place, text: `${lines[place]!.title} ${read.problem}` };
      else if (read.part) {
        parts[place] = read.part;
        kept.push({ ...part, line: place, title: lines[place]!.title });
      }
    }
    const isExcused = parts.some((part) => part !== null && 'excused' in part);
    const reason = excuseReasonSchema.safeParse(entry.reason);
    if (isExcused && !reason.success) {
      problem ??= { line: 0, text: 'Enter the reason why the investor is excused, in at most 500 characters' };
    }
    if (problem) {
      adjusting = { commitment: entry.commitment, line: problem.line, entry, problem: problem.text };
      continue;
    }
    if (kept.length === 0) continue;
    const { commitment, document } = entry;
    entries.push({
      commitment,
      parts: kept,
      isTyped: false,
      reason: isExcused ? entry.reason : '',
      ...(isExcused && document ? { document } : {}),
    });
    const excuse = isExcused && reason.success ? { reason: reason.data, document: document ?? null } : null;
    own.push({ of: { commitmentId: commitment }, lines: parts, excuse });
  }
  if (opened && !adjusting) {
    const entry = entries.find(({ commitment }) => commitment === opened) ?? blank(opened);
    adjusting = { commitment: opened, line: Number(line), entry, problem: null };
  }
  return { own, entries, adjusting };
}

/** What a line of a draft has in place of its rule, as the fields of the form hold it. */
export function ownEntryOf(
  line: {
    commitmentId: string;
    basis: readonly LineBasis[];
    excuseReason?: string | null | undefined;
    excuseFileId?: string | null | undefined;
  },
  lines: readonly { title: string; ratePercent?: DecimalText | undefined }[],
  amounts: readonly DecimalText[],
): OwnEntry[] {
  const parts = lines.flatMap(({ title, ratePercent }, index): OwnEntry['parts'] => {
    const basis = line.basis[index];
    const part = { line: index, title, value: '', excused: false };
    if (basis?.set === 'excused') return [{ ...part, excused: true }];
    if (basis?.set === 'amount') return [{ ...part, value: amounts[index] ?? '' }];
    const isOwnRate = basis?.ratePercent !== undefined && basis.ratePercent !== ratePercent;
    return isOwnRate ? [{ ...part, value: `${basis.ratePercent}%` }] : [];
  });
  if (parts.length === 0) return [];
  const { commitmentId: commitment, excuseReason, excuseFileId } = line;
  return [
    {
      commitment,
      parts,
      reason: excuseReason ?? '',
      isTyped: false,
      ...(excuseFileId ? { document: excuseFileId } : {}),
    },
  ];
}
