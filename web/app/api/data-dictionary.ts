import { codeLabel } from '@tapeline/domain/documents/code-labels.ts';
import { valuesOf } from '@tapeline/domain/documents/labels.ts';
import { divide, multiply } from '@tapeline/domain/money/decimal.ts';
import {
  COLUMN_USE_LABELS,
  type DictionaryLine,
  type DictionaryTape,
  type FilledField,
} from '@tapeline/domain/tapes/data-dictionary.ts';
import { CHECKS, leavesEmpty, ON_UNREADABLE_LABELS, validationSchema } from '@tapeline/domain/tapes/rule.schema.ts';
import {
  describeChecks,
  describeSteps,
  describeUnreadable,
  describeValidations,
} from '@tapeline/domain/tapes/rule-words.ts';
import { TARGET_KINDS } from '@tapeline/domain/tapes/target-schema.ts';
import type { ExportColumn } from '@tapeline/lake/exports/export-table.ts';
import { EXPORT_TYPES } from '@tapeline/lake/exports/export-table.ts';
import { linesTable } from '@tapeline/lake/exports/lines-table.ts';
import { z } from 'zod';
import { type DataDictionary, dataDictionary } from '../commands/data-dictionary.server.ts';
import { exportResponse } from '../commands/exports.server.ts';
import { idParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';

const FORMATS = ['json', 'xlsx', 'csv'] as const;

const tapeSchema = z.object({ id: z.string(), name: z.string(), cutOffDate: z.string().meta({ format: 'date' }) });

const lineSchema = z
  .object({
    assetsETL: z
      .object({ id: z.string(), version: z.int(), loanTapeSheetName: z.string() })
      .meta({ description: 'The version of the mapping that describes the column' }),
    column: z.string().nullable().meta({ description: 'The header; null for a field that no column is read for' }),
    use: z.enum(valuesOf(COLUMN_USE_LABELS)).meta({
      description:
        'field: becomes the field. input: a step of the rule reads it. kept: also stored as text. calculated: a field without a column. unused: no rule reads it',
    }),
    field: z
      .object({ path: z.string(), label: z.string(), kind: z.enum(TARGET_KINDS), custom: z.boolean() })
      .nullable()
      .meta({ description: 'The field that the rule makes; null for a column that is not used' }),
    rule: z
      .object({
        position: z.int().meta({ description: 'Position in the mapping, from 1' }),
        steps: z.string().meta({ description: 'The steps in words' }),
        checks: z.array(z.enum(CHECKS)),
        validations: z.array(validationSchema),
        onUnreadable: z.enum(valuesOf(ON_UNREADABLE_LABELS)),
        stored: z.boolean().meta({ description: 'false for a Temporary result' }),
      })
      .nullable()
      .meta({ description: 'null for a column that is not used, or kept as text' }),
    onLastTape: z
      .object({
        filled: z.int().meta({ description: 'Assets with a value in the field' }),
        assets: z.int(),
        example: z.string().nullable().meta({ description: 'The first value as people read it' }),
      })
      .nullable()
      .meta({
        description:
          'What the field has on the last published tape of the mapping; null if it is unknown: the tape does not have the column, the field is not stored, or the rule has changed since',
      }),
    first: tapeSchema.nullable().meta({ description: 'The first tape with the column' }),
    last: tapeSchema.nullable().meta({ description: 'The last tape with the column' }),
  })
  .meta({ id: 'DataDictionaryLine' });

const dictionarySchema = z
  .object({
    company: z.object({ id: z.string(), name: z.string() }),
    tapes: z.int().meta({ description: 'Published tapes that you can see' }),
    tapesRead: z.int().meta({
      description: 'The last of them, whose columns are listed. If there are fewer, first is the first of these',
    }),
    lines: z.array(lineSchema),
  })
  .meta({ id: 'DataDictionary' });

const tapeBody = (tape: DictionaryTape | null) => tape && { id: tape.id, name: tape.name, cutOffDate: tape.cutOffDate };

function lineBody({ mapping, column, use, field, rule, onLastTape, first, last }: DictionaryLine) {
  return {
    assetsETL: { id: mapping.id, version: mapping.version, loanTapeSheetName: mapping.sheetName },
    column,
    use,
    field: field && { path: field.path, label: field.label, kind: field.kind, custom: field.custom },
    rule: rule && {
      position: rule.index + 1,
      steps: describeSteps(rule),
      checks: rule.rule.checks,
      validations: rule.rule.validations,
      onUnreadable: leavesEmpty(rule.rule) ? 'empty' : 'error',
      stored: !rule.temporary,
    },
    onLastTape,
    first: tapeBody(first),
    last: tapeBody(last),
  };
}

type DictionaryColumn = Omit<ExportColumn, 'sql'> & { readonly of: (line: DictionaryLine) => string | null };

/** The share of assets with a value, in percent. */
const percentOf = ({ filled, assets }: FilledField): string | null =>
  assets === 0 ? null : divide(multiply(String(filled), '100'), String(assets), 8);

const text = (name: string, label: string, of: DictionaryColumn['of']): DictionaryColumn => ({
  name,
  label,
  kind: 'text',
  type: 'VARCHAR',
  of: (line) => of(line) || null,
});
const whole = (name: string, label: string, of: (line: DictionaryLine) => number | undefined): DictionaryColumn => {
  const textOf = (value: number | undefined) => (value === undefined ? null : String(value));
  return { name, label, kind: 'number', type: 'INTEGER', of: (line) => textOf(of(line)) };
};
const date = (name: string, label: string, of: DictionaryColumn['of']): DictionaryColumn => ({
  name,
  label,
  kind: 'date',
  type: 'DATE',
  of,
});

/** @param tapes if not all tapes are read, the headers say so: an earlier tape may have had the column */
function columnsOf({ tapes: { all, read } }: DataDictionary): DictionaryColumn[] {
  const first = read < all ? `First of the last ${read} tapes with it` : 'First tape with it';
  return [
    text('column', 'Column', ({ column }) => column),
    text('use', 'Use', ({ use }) => COLUMN_USE_LABELS[use]),
    text('label', 'Meaning', ({ field }) => field?.label ?? null),
    text('path', 'Field', ({ field }) => field?.path ?? null),
    text('kind', 'Kind of value', ({ field }) => field && codeLabel(field.kind)),
    text('steps', 'Steps of the rule', ({ rule }) => rule && describeSteps(rule)),
    text('checks', 'Checks', ({ rule }) => rule && describeChecks(rule.rule)),
    text('validations', 'Validations', ({ rule }) => rule && describeValidations(rule.rule)),
    text('onUnreadable', 'A cell that cannot be read', ({ rule }) => rule && describeUnreadable(rule.rule)),
    {
      name: 'filledPercent',
      label: 'Assets of the last tape with this field, %',
      kind: 'percentage',
      type: 'DECIMAL(18,8)',
      of: ({ onLastTape }) => onLastTape && percentOf(onLastTape),
    },
    whole('filled', 'Assets with this field', ({ onLastTape }) => onLastTape?.filled),
    whole('assets', 'Assets of the last tape', ({ onLastTape }) => onLastTape?.assets),
    text('example', 'First value', ({ onLastTape }) => onLastTape?.example ?? null),
    text('firstTape', first, (line) => line.first?.name ?? null),
    date('firstCutOffDate', 'Cut-off date of the first', (line) => line.first?.cutOffDate ?? null),
    text('lastTape', 'Last tape with it', (line) => line.last?.name ?? null),
    date('lastCutOffDate', 'Cut-off date of the last', (line) => line.last?.cutOffDate ?? null),
    text('sheet', 'Sheet of the mapping', ({ mapping }) => mapping.sheetName),
    whole('mappingVersion', 'Version of the mapping', ({ mapping }) => mapping.version),
    whole('rule', 'Rule', ({ rule }) => (rule ? rule.index + 1 : undefined)),
  ];
}

/** An extension of the specification. */
export const dataDictionaryEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/LTP/dictionary/{id}',
    access: 'assets/ETL/read',
    summary:
      'Get the data dictionary of a company: for each column of its published tapes the field it becomes, by which rule, how many assets of the last tape have the field, and the first and last tape with the column; then the fields that are calculated without a column. `assets/read` is required as well. Tapes and mappings that you cannot see are left out',
    params: idParamsSchema,
    query: z.object({
      format: z
        .enum(FORMATS, { error: `must be one of ${FORMATS.join(', ')}` })
        .default('json')
        .meta({ description: 'xlsx and csv return the same lines as a file' }),
    }),
    files: [EXPORT_TYPES.xlsx, 'text/csv'],
    response: dictionarySchema,
    async handle({ params, query, context, request, actor, db }) {
      const dictionary = await dataDictionary({ context, db, signal: request.signal }, params.id);
      const { company, tapes, lines } = dictionary;
      if (query.format === 'json') {
        return { body: { company, tapes: tapes.all, tapesRead: tapes.read, lines: lines.map(lineBody) } };
      }
      const columns = columnsOf(dictionary);
      const table = linesTable(
        columns.map(({ of, ...column }) => column),
        lines.map((line) => columns.map(({ of }) => of(line))),
      );
      const file = { format: query.format, name: `${company.name}-data-dictionary`, sheetName: 'Data dictionary' };
      return exportResponse({ context, request, actor }, table, file);
    },
  }),
];
