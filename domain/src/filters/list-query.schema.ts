import { z } from 'zod';
import { type Flags, Refusal, refuseIssues } from '../errors/refusal.ts';
import type { Field, FieldCatalog } from './catalog.ts';
import type { Filter } from './filter.ts';
import { parseFilter } from './parse.ts';

export const LIST_LIMITS = { defaultLimit: 50, limit: 1_000, sortFields: 10 } as const;

export const ACCUMULATORS = ['$sum', '$avg', '$wAvg'] as const;
export type Accumulator = (typeof ACCUMULATORS)[number];

/** A whole number as a query string carries it, or as itself. */
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

/** A value that a query string carries as JSON text. */
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
        error: 'must be the JSON text of an object',
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
        ? `does not take ${issue.keys?.join(', ')}`
        : 'must be an object with an accumulator',
  },
);

/** What every list takes in its query string (`filter`, `sort` and `groupBy` as JSON text); other keys are left alone. */
export const listQuerySchema = z.object({
  filter: z
    .union([z.string(), z.record(z.string(), z.unknown())], { error: 'must be the JSON text of a filter' })
    .optional()
    .meta({ description: 'Conditions as JSON text', example: '{"state":{"in":["CA","NY"]},"fico":{"gte":600}}' }),
  skip: count(0, Number.MAX_SAFE_INTEGER).default(0).meta({ description: 'Documents to pass over' }),
  limit: count(1, LIST_LIMITS.limit).default(LIST_LIMITS.defaultLimit).meta({ description: 'Documents to answer' }),
  sort: json(sortShape)
    .optional()
    .meta({ description: 'Fields to 1 or -1 as JSON text', example: '{"cutOffDate":-1}' }),
  groupBy: json(groupByShape).optional().meta({
    description:
      'As JSON text: an accumulator, the field it takes (the number of documents where left out), the field to group by (one group where left out), and the weight of $wAvg',
    example: '{"accumulator":"$sum","field":"amount","by":"fund"}',
  }),
  preseveDocsIds: flag.default(false).meta({ description: 'Whether each group carries the ids of its documents' }),
});

export interface SortKey {
  readonly field: Field;
  readonly direction: 1 | -1;
}

export interface GroupBy {
  readonly accumulator: Accumulator;
  /** The number accumulated; null counts documents. */
  readonly field: Field | null;
  /** What documents are grouped by; null makes one group. */
  readonly by: Field | null;
  /** The weight; set exactly for `$wAvg`. */
  readonly weightedField: Field | null;
}

/** A list's query with its fields found. Ties of `sort` are for the list to settle by id. */
export interface ListQuery {
  readonly filter: Filter;
  readonly skip: number;
  readonly limit: number;
  readonly sort: readonly SortKey[];
  readonly groupBy: GroupBy | null;
  readonly preseveDocsIds: boolean;
}

/** Reads a query string's values (or the like as an object). Throws Refusal badRequest whose flags name the keys. */
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
    if (type && type !== 'number' && type !== 'decimal') flags[`groupBy.${key}`] = 'must be a field of numbers';
  }
  if (accumulator !== '$sum' && groupBy.field === undefined) flags['groupBy.field'] = `is required by ${accumulator}`;
  if (accumulator === '$wAvg' && groupBy.weightedField === undefined)
    flags['groupBy.weightedField'] = 'is required by $wAvg';
  if (accumulator !== '$wAvg' && groupBy.weightedField !== undefined)
    flags['groupBy.weightedField'] = 'goes only with $wAvg';
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
