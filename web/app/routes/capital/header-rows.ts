import { CAPITAL_STATUSES } from '@tapeline/domain/capital/capital-document.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';

export const HEADER_SORT = { cutOffDate: -1 } as const;

const VALUES: Readonly<Record<string, readonly string[]>> = { status: [...CAPITAL_STATUSES, 'Upcoming', 'Several'] };

/** The fields that the filter bar offers. */
export const offeredFields = (fields: readonly Field[]): Field[] =>
  fields.map((field) => {
    const values = VALUES[field.path];
    return values ? { ...field, values } : field;
  });
