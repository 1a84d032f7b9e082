import { z } from 'zod';
import { type Flags, Refusal, refuseIssues } from '../errors/refusal.ts';
import type { Field, FieldCatalog } from './catalog.ts';
import type { Filter } from './filter.ts';
import { parseFilter } from './parse.ts';

export const LIST_LIMITS = { defaultLimit: 50, limit: 1_000, sortFields: 10 } as const;

export const ACCUMULATORS = ['$sum', '$avg', '$wAvg'] as const;
export type Accumulator = (typeof ACCUMULATORS)[number];

/** A whole number in a query string, or as a number. */
const count = (least: number, most: number) =>
  z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^\d{1,15}$/)
          .transform(Number),
      ],
      { error: 'must be a whole number' },
    )
    .pipe(
      z
        .number()
        .int('must be a whole number')
        .min(least, `must be at least ${least}`)
        .max(most, `must be at most ${most}`),
    );

const flag = z.union(
  [z.boolean(), z.enum(['true', 'false', '1', '0', '']).transform((text) => text === 'true' || text === '1')],
  {
    error: 'must be true or false',
  },
);

/** A JSON value in a query string. */
const json = <Shape extends z.ZodType>(shape: Shape) =>
  z
    .union(
      [
        z
          .string()
          .refine(isJson)
          .transform((text) => JSON.parse(text) as unknown),
        z.record(z.string(), z.unknown()),
      ],
      {
        error: 'must be a JSON object',
      },
    )
    .pipe(shape);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const direction = z.union([z.literal(1), z.literal(-1)], { error: 'must be 1 (ascending) or -1 (descending)' });

const sortShape = z
  .record(z.string(), direction, { error: 'must be an object of fields to 1 or -1' })
  .refine((sort) => Object.keys(sort).length <= LIST_LIMITS.sortFields, {
    message: `must name at most ${LIST_LIMITS.sortFields} fields`,
  });

const groupByShape = z.strictObject(
  {
    accumulator: z.enum(ACCUMULATORS, { error: `must be one of ${ACCUMULATORS.join(', ')}` }),
    field: z.string('must be the path of a field').optional(),
    by: z.string('must be the path of a field').optional(),
    weightedField: z.string('must be the path of a field').optional(),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `does not accept ${issue.keys?.join(', ')}`
        : 'must be an object with an accumulator',
  },
);

/** The query string of every list (`filter`, `sort` and `groupBy` as JSON text); other keys are ignored. */
export const listQuerySchema = z.object({
  filter: z
    .union([z.string(), z.record(z.string(), z.unknown())], { error: 'must be a JSON filter' })
    .optional()
    .meta({
      description:
        'Filter conditions as JSON. A comparison can name another field, {"$field": "sums.sum"}, and for assets a date relative to the cut-off date, {"$cutOff": "-90d"}',
      example: '{"state":{"in":["CA","NY"]},"fico":{"gte":600}}',
    }),
  skip: count(0, Number.MAX_SAFE_INTEGER).default(0).meta({ description: 'Number of documents to skip' }),
  limit: count(1, LIST_LIMITS.limit)
    .default(LIST_LIMITS.defaultLimit)
    .meta({ description: 'Maximum number of documents to return' }),
  sort: json(sortShape).optional().meta({
    description: 'Sort order as JSON: fields mapped to 1 (ascending) or -1 (descending)',
    example: '{"cutOffDate":-1}',
  }),
  groupBy: json(groupByShape).optional().meta({
    description:
      'As JSON: an accumulator, the field it aggregates (default: the number of documents), the field to group by (default: one group), and the weight field of $wAvg. Amounts are never added across currencies: a group has one figure for each in byCurrency, and a value where there is only one',
    example: '{"accumulator":"$sum","field":"amount","by":"fund"}',
  }),
  preseveDocsIds: flag.default(false).meta({ description: 'Whether each group includes the ids of its documents' }),
});

export interface SortKey {
  readonly field: Field;
  readonly direction: 1 | -1;
}

export interface GroupBy {
  readonly accumulator: Accumulator;
  /** The accumulated number; null counts documents. */
  readonly field: Field | null;
  /** The field that documents are grouped by; null for a single group. */
  readonly by: Field | null;
  /** The weight; set only for `$wAvg`. */
  readonly weightedField: Field | null;
}

/** A list's query with its fields resolved. The list breaks ties of `sort` by id. */
export interface ListQuery {
  readonly filter: Filter;
  readonly skip: number;
  readonly limit: number;
  readonly sort: readonly SortKey[];
  readonly groupBy: GroupBy | null;
  readonly preseveDocsIds: boolean;
}

/** Parses a query string's values (or an equivalent object). Throws Refusal badRequest whose flags name the keys. */
export function parseListQuery(input: unknown, catalog: FieldCatalog): ListQuery {
  const parsed = listQuerySchema.safeParse(input ?? {});
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw refuseIssues(parsed.error.issues, `${issue?.path.map(String).join('.')} ${issue?.message}`);
  }
  const { filter, skip, limit, sort = {}, groupBy, preseveDocsIds } = parsed.data;
  const flags: Flags = {};
  const query: ListQuery = {
    filter: parseFilter(filter, catalog),
    skip,
    limit,
    sort: Object.entries(sort).flatMap(([path, direction]) => {
      const field = findField(catalog, path, `sort.${path}`, flags);
      return field ? [{ field, direction }] : [];
    }),
    groupBy: groupBy ? resolveGroupBy(groupBy, catalog, flags) : null,
    preseveDocsIds,
  };
  const [first] = Object.entries(flags);
  if (first) throw new Refusal('badRequest', `${first[0]} ${first[1]}`, { flags });
  return query;
}

function resolveGroupBy(groupBy: z.output<typeof groupByShape>, catalog: FieldCatalog, flags: Flags): GroupBy {
  const { accumulator } = groupBy;
  const find = (key: 'field' | 'by' | 'weightedField'): Field | null => {
    const path = groupBy[key];
    return path === undefined ? null : findField(catalog, path, `groupBy.${key}`, flags);
  };
  const resolved = { accumulator, field: find('field'), by: find('by'), weightedField: find('weightedField') };
  for (const key of ['field', 'weightedField'] as const) {
    const type = resolved[key]?.type;
    if (type && type !== 'number' && type !== 'decimal') flags[`groupBy.${key}`] = 'must be a numeric field';
  }
  if (accumulator !== '$sum' && groupBy.field === undefined) flags['groupBy.field'] = `is required by ${accumulator}`;
  if (accumulator === '$wAvg' && groupBy.weightedField === undefined)
    flags['groupBy.weightedField'] = 'is required by $wAvg';
  if (accumulator !== '$wAvg' && groupBy.weightedField !== undefined)
    flags['groupBy.weightedField'] = 'is only allowed with $wAvg';
  return resolved;
}

function findField(catalog: FieldCatalog, path: string, at: string, flags: Flags): Field | null {
  const found = catalog.resolve(path);
  if ('field' in found) return found.field;
  const candidates = found.candidates.map((field) => field.path);
  flags[at] =
    candidates.length > 0 ? `could be ${candidates.join(' or ')}; write the whole path` : 'is not a field of this list';
  return null;
}
