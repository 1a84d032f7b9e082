import type { z } from 'zod';
import { firstFew } from './first-few.ts';
import { REQUIRED } from './required.ts';

type AnyIssue = z.core.$ZodIssue;

/** A union fails with the errors of each alternative; the one that fits best is the one that fails deepest. */
function bestAlternative(alternatives: readonly (readonly AnyIssue[])[]): readonly AnyIssue[] {
  const depthOf = (issues: readonly AnyIssue[]) => Math.max(0, ...issues.map(({ path }) => path.length));
  return alternatives.reduce<readonly AnyIssue[]>(
    (best, issues) => (best.length === 0 || depthOf(issues) > depthOf(best) ? issues : best),
    [],
  );
}

/** Replaces the issue of a union with the issues of its closest alternative, if those name a field inside it. */
export function flattenIssues(issues: readonly AnyIssue[]): AnyIssue[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union') return [issue];
    const inner = flattenIssues(bestAlternative(issue.errors));
    if (!inner.some(({ path }) => path.length > 0)) return [issue];
    return inner.map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
  });
}

const WRONG_VALUES: ReadonlySet<AnyIssue['code']> = new Set(['invalid_type', 'invalid_value', 'invalid_union']);

/** The words of a list for "not there" are those for "empty", and say what it must have. */
const isList = (issue: AnyIssue): boolean => issue.code === 'invalid_type' && issue.expected === 'array';

/**
 * The errors of an input as the API reports them: one of a field that is not there says that it is required, whatever
 * the form's own words for it are. A list keeps its words.
 */
export function issuesOf(error: z.ZodError, input: unknown): { path: PropertyKey[]; message: string }[] {
  const at = (path: readonly PropertyKey[]): unknown =>
    path.reduce<unknown>((held, name) => (held as Record<PropertyKey, unknown> | null | undefined)?.[name], input);
  return flattenIssues(error.issues).map((issue) =>
    WRONG_VALUES.has(issue.code) && issue.path.length > 0 && at(issue.path) === undefined && !isList(issue)
      ? { path: issue.path, message: REQUIRED }
      : issue,
  );
}

const NAMES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
};

const MEASURES: Record<string, [one: string, many: string]> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  set: ['item', 'items'],
};

function limit(word: 'at least' | 'at most', bound: number | bigint, origin: string): string {
  const measure = MEASURES[origin];
  if (!measure) return `must be ${word} ${bound}`;
  return `must have ${word} ${bound} ${Number(bound) === 1 ? measure[0] : measure[1]}`;
}

/** Fields and characters of a name in a message: the answer to a body of many unknown fields must not be as long as the body. */
const [MAX_FIELDS, MAX_NAME] = [10, 100];

function namesOf(keys: readonly string[]): string {
  const names = keys.slice(0, MAX_FIELDS).map((key) => (key.length > MAX_NAME ? `${key.slice(0, MAX_NAME)}…` : key));
  return firstFew(names, { most: MAX_FIELDS, total: keys.length });
}

/** The message for an issue whose schema has none. It continues the name of the field, as in "title is required". */
export function plainMessage(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? REQUIRED : `must be ${NAMES[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return limit('at least', issue.minimum, issue.origin);
    case 'too_big':
      return limit('at most', issue.maximum, issue.origin);
    case 'invalid_value':
      if (issue.input === undefined) return REQUIRED;
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(', ')}`;
    case 'unrecognized_keys':
      return `has unknown fields: ${namesOf(issue.keys)}`;
    case 'invalid_union':
      return issue.input === undefined ? REQUIRED : 'is not in an accepted format';
    case 'invalid_key':
    case 'invalid_element':
      return 'contains an invalid entry';
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return `must be a valid ${issue.format}`;
    default:
      return undefined;
  }
}
