import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import type { CheckFix } from '@tapeline/domain/tapes/check-fixes.ts';
import { ASSET_STATUS_LABELS } from '@tapeline/domain/tapes/statuses.ts';
import type { CheckedFile, CheckGroup } from '@tapeline/domain/tapes/tape-check.ts';
import { useId } from 'react';
import { classNames } from '../../../../components/class-names.ts';
import { Money } from '../../../../components/figures/figures.tsx';
import { formatCount } from '../../../../components/figures/format.ts';
import { Button } from '../../../../components/forms/button.tsx';
import { Select } from '../../../../components/forms/fields.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { Panel, Section } from '../../../../components/page/section.tsx';
import { type DraftCheck, FIX_FIELD, fixEdit } from '../draft-check.ts';
import type { useCheck } from './use-check.ts';

/** The result of the draft for every row of the file, with corrections for whole groups of rows. */
export function CheckPanel({ state: { check, isChecking, isStale, share } }: { state: ReturnType<typeof useCheck> }) {
  const result = check?.result ?? null;
  return (
    <Section
      title="All rows"
      note={isChecking ? progressOf(share) : isStale ? 'before the last change' : undefined}
      busy={isChecking}
      more={
        <button type="submit" name="edit" value="check" className="text-accent hover:underline">
          {check ? 'Check again' : 'Check all rows'}
        </button>
      }
    >
      <div aria-live="polite">
        {check?.problem ? <Notice tone="warning">{check.problem}</Notice> : null}
        {check === null && !isChecking ? (
          <p className="text-sm text-ink-3">
            Check all rows to see how many become assets, and why the others do not, before the tape is processed.
          </p>
        ) : null}
        {check ? <CheckSummary check={check} /> : null}
      </div>
      {result ? <CheckGroups result={result} hasRules /> : null}
    </Section>
  );
}

/** How many rows become assets, and how many do not. */
export function CheckSummary({ check }: { check: DraftCheck }) {
  const { result } = check;
  if (!result) return null;
  return (
    <>
      <p className="mb-2 text-sm text-ink-2">
        <b className="font-medium text-ink">{formatCount(result.assets, 'asset')}</b>
        {' and '}
        <b className={classNames('font-medium', result.errored > 0 ? 'text-danger' : 'text-ink')}>
          {formatCount(result.errored, 'errored row')}
        </b>{' '}
        of all {formatCount(result.rows, 'row')}
        {result.warned > 0 ? (
          <>
            {'; '}
            <b className="font-medium text-warning">{formatCount(result.warned, 'asset')}</b> with warnings
          </>
        ) : null}
        {result.balances.length > 0 ? (
          <>
            {'; outstanding '}
            {result.balances.map((balance, index) => (
              <span key={balance.currency}>
                {index > 0 ? ', ' : ''}
                <Money value={balance} withCurrency zero="figure" />
              </span>
            ))}
          </>
        ) : null}
        {check.leftOut.length > 0 ? `, without ${formatCount(check.leftOut.length, 'incomplete rule')}` : ''}
      </p>
      {result.groups.length === 0 ? (
        <p className="text-sm text-ink-3">Every row of the file is a valid asset, without warnings.</p>
      ) : null}
    </>
  );
}

/**
 * The reasons in all rows, each with its first rows.
 * @param hasRules whether it is in the mapping editor, where the rules can be corrected
 */
export function CheckGroups({ result, hasRules = false }: { result: CheckedFile; hasRules?: boolean }) {
  if (result.groups.length === 0) return null;
  return (
    <Panel>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section className="max-h-[34rem] overflow-y-auto" aria-label="Reasons in all rows" tabIndex={0}>
        <ul>
          {result.groups.map((group, index) => (
            <Group
              key={`${group.kind} ${group.rule} ${group.code} ${group.reason} ${group.value ?? ''}`}
              group={group}
              index={index}
              hasRules={hasRules}
            />
          ))}
        </ul>
      </section>
      {result.moreGroups > 0 ? (
        <p className="border-t border-line px-3 py-2 text-xs text-ink-3">
          {formatCount(result.moreGroups, 'reason')} more {result.moreGroups === 1 ? 'is' : 'are'} not listed. Correct
          the first ones, then check again.
        </p>
      ) : null}
    </Panel>
  );
}

export const progressOf = (share: number | null): string =>
  share === null ? 'checking all rows' : `checking all rows, ${Math.round(share * 100)}% read`;

/** `“in delay” is not a number`, or `Days late is not a number`. */
const sentenceOf = ({ column, label, reason, value }: CheckGroup): string =>
  value === null ? `${column ?? label} ${reason}` : `“${value}” ${reason}`;

function Group({ group, index, hasRules }: { group: CheckGroup; index: number; hasRules: boolean }) {
  const { rule, kind, count, rows, value, label } = group;
  const fixes = hasRules ? group.fixes : [];
  const shown = rows.map((each) => (value === null && each.value !== null ? `${each.row} (${each.value})` : each.row));
  return (
    <li className="border-b border-line px-3 py-2 text-sm last:border-b-0">
      <div className="flex gap-3">
        {rule > 0 && hasRules ? (
          <a href={`#rule-${rule - 1}`} className="flex-none font-medium text-accent hover:underline">
            Rule {rule}
          </a>
        ) : (
          <span className="flex-none font-medium">{label}</span>
        )}
        <span className={classNames('min-w-0 flex-1 break-words', kind === 'warning' ? 'text-warning' : 'text-ink-2')}>
          {sentenceOf(group)}
          <span className="block text-xs text-ink-3">
            {rows.length < count ? 'First rows: ' : rows.length === 1 ? 'Row ' : 'Rows '}
            {shown.join(', ')}
          </span>
        </span>
        <span className="figures flex-none text-ink-3">{formatCount(count, 'row')}</span>
      </div>
      {fixes.length > 0 ? (
        <div className="mt-1.5 flex flex-wrap items-center gap-2">
          {fixes.map((fix) => (
            <Fix key={fix.kind} group={group} fix={fix} field={`${FIX_FIELD}${index}`} />
          ))}
        </div>
      ) : null}
    </li>
  );
}

function Fix({
  group: { rule, count, column, label },
  fix,
  field,
}: {
  group: CheckGroup;
  fix: CheckFix;
  field: string;
}) {
  const id = useId();
  const rows = formatCount(count, 'row');
  const edit = fixEdit(rule - 1, fix, field);
  if (fix.kind === 'status') {
    return (
      <span className="flex flex-wrap items-center gap-2">
        <label htmlFor={id} className="sr-only">
          Status of “{fix.value}”
        </label>
        <span className="w-40">
          <Select id={id} name={field} choices={choicesOf(ASSET_STATUS_LABELS)} empty="Choose a status" />
        </span>
        <Button type="submit" name="edit" value={edit} className="h-7">
          Read “{fix.value}” as this status in {rows}
        </Button>
      </span>
    );
  }
  return (
    <Button type="submit" name="edit" value={edit} className="h-7 max-w-full">
      <span className="truncate">
        {fix.kind === 'omit'
          ? `Treat “${fix.value}” as missing in ${rows}`
          : `Leave ${label} empty where ${column ?? 'it'} cannot be read`}
      </span>
    </Button>
  );
}
