import { useFetcher } from '@remix-run/react';
import { valueToText } from '@tapeline/domain/filters/build.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { incomparable } from '@tapeline/domain/filters/operators.ts';
import type { FieldValues } from '@tapeline/lake/field-values.ts';
import { useEffect } from 'react';
import { formatCount, formatFigure } from '../../../../components/figures/format.ts';
import { useHydrated } from '../../../../components/use-hydrated.ts';
import { paths } from '../../../../paths.ts';
import type { ContractView, Editing } from '../contract-view.server.ts';

/** How long to wait for the next keystroke before values are searched. */
const PAUSE_MS = 250;

/**
 * The values of the chosen field on the tape. The page brings those of stored conditions; with JavaScript, the values of
 * another field, or of a search where not all are listed, are requested.
 */
export function useOfferedValues(
  contract: ContractView,
  known: Editing['known'],
  field: Field | undefined,
  written: string,
): FieldValues | null {
  const hydrated = useHydrated();
  const fetcher = useFetcher<{ values: FieldValues | null }>();
  const path = field?.path ?? null;
  const first = path === null ? null : (known[path] ?? null);
  const isListed = first !== null && (first.range !== null || first.distinct <= first.values.length);
  const tape = contract.tapeId ?? undefined;
  useEffect(() => {
    if (!hydrated || path === null || tape === undefined || isListed) return;
    const timer = setTimeout(
      () => fetcher.load(paths.contractValues(contract.id, { field: path, tape, search: written.slice(0, 100) })),
      PAUSE_MS,
    );
    return () => clearTimeout(timer);
  }, [hydrated, path, tape, isListed, written, contract.id, fetcher.load]);
  return isListed ? first : (fetcher.data?.values ?? first);
}

/** The values to choose from: those of the tape with their counts, else those that the field may have. */
export function optionsOf(
  field: Field | undefined,
  values: FieldValues | null,
): { value: string; label: string | undefined }[] {
  if (values && values.values.length > 0) {
    return values.values.map(({ value, count }) => ({ value, label: `${value} (${formatCount(count, 'asset')})` }));
  }
  return (field?.values ?? []).map((value) => ({ value, label: undefined }));
}

/** What a number or date can be compared with besides values: other fields, and the cut-off date. */
export function operandsOf(
  field: Field | undefined,
  fields: readonly Field[],
): { value: string; label: string | undefined }[] {
  if (!field || field.type === 'text' || field.type === 'boolean') return [];
  const others = fields.filter((other) => incomparable(field, other) === null);
  return [
    ...(field.type === 'date' ? [{ value: 'cutOff - 90d', label: '90 days before the cut-off date' }] : []),
    ...others.map((other) => ({
      value: valueToText({ operator: 'eq', value: { $field: other.path } }, fields),
      label: undefined,
    })),
  ];
}

/** What the tape contains, in one line. */
export function hintOf(values: FieldValues | null): string | undefined {
  if (!values) return undefined;
  const missing = values.missing > 0 ? `; ${formatCount(values.missing, 'asset')} without a value` : '';
  const { range } = values;
  if (range) return `On the tape ${range.min} to ${range.max}, half of it ${range.lower} to ${range.upper}${missing}`;
  if (values.distinct === 0) return undefined;
  return values.distinct > values.values.length
    ? `${formatFigure(values.distinct)} values on the tape: type to search${missing}`
    : `${formatCount(values.distinct, 'value')} on the tape${missing}`;
}
