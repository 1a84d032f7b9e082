import { z } from 'zod';

/** Whether nothing was entered in a field, or in a group of fields. */
const isBlank = (value: unknown): boolean => {
  if (value === undefined || value === null || value === '') return true;
  if (typeof value !== 'object') return false;
  return Object.values(value).every(isBlank);
};

/** Whether nothing was entered in a group. @param besides fields that do not count: a currency is always chosen */
const isEmptyGroup = (value: unknown, besides: readonly string[]): boolean =>
  isBlank(value) ||
  (typeof value === 'object' &&
    Object.entries(value as object).every(([name, field]) => besides.includes(name) || isBlank(field)));

/** A group of fields that is null if all of them are empty. @param besides fields that do not count */
export const optionalGroup = <Schema extends z.ZodType>(schema: Schema, ...besides: string[]) =>
  z.preprocess((value) => (isEmptyGroup(value, besides) ? null : value), schema.nullable());

/** A list without its empty entries. @param besides fields of an entry that do not count */
export const withoutBlanks = <Schema extends z.ZodType>(schema: Schema, ...besides: string[]) =>
  z.preprocess((value) => (Array.isArray(value) ? value.filter((entry) => !isEmptyGroup(entry, besides)) : []), schema);
