import { leavesEmpty } from '@tapeline/domain/tapes/rule.schema.ts';
import { ArrowDown, ArrowUp, Check, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../../../../components/class-names.ts';
import { formatCount } from '../../../../components/figures/format.ts';
import { Button } from '../../../../components/forms/button.tsx';
import { Chip } from '../../../../components/page/chip.tsx';
import { type DoubtfulRule, type DraftProblem, type DraftRule, targetLabel, textOf } from '../draft.ts';
import { stepsInWords } from '../mapping-changes.ts';
import { ConfidenceChip } from './confidence-chip.tsx';
import { EditButton } from './edit-button.tsx';

/** Opens a rule. For editors it posts the draft as well. For readers it is a link to the rule's address. */
function Opener({
  canEdit,
  isOpen,
  index,
  openAt,
  children,
}: {
  canEdit: boolean;
  isOpen: boolean;
  index: number;
  openAt: string;
  children: ReactNode;
}) {
  const className = 'block min-w-0 flex-1 py-0.5 text-left';
  if (!canEdit) {
    return (
      <a href={`${openAt}#rule-${index}`} className={className}>
        {children}
      </a>
    );
  }
  return (
    <button
      type="submit"
      name="edit"
      value={isOpen ? 'close' : `open:${index}`}
      formAction={openAt}
      aria-expanded={isOpen}
      className={className}
    >
      {children}
    </button>
  );
}

/** One rule of the list, closed or open. An open rule contains its form. */
export function RuleRow({
  entry,
  index,
  count,
  isOpen,
  canEdit,
  problems,
  failing,
  warned,
  openAt,
  children,
}: {
  entry: DraftRule;
  index: number;
  count: number;
  isOpen: boolean;
  canEdit: boolean;
  problems: readonly DraftProblem[];
  /** Number of preview rows that this rule fails on. */
  failing: number;
  /** Number of preview rows whose value is outside the plausible range, or empty because its cell could not be read. */
  warned: number;
  /** The rule's own address. */
  openAt: string;
  children?: ReactNode;
}) {
  const { rule, suggestion, accepted } = entry;
  const waits = suggestion !== null && !accepted;
  const origin = textOf(rule.originCol);
  const label = targetLabel(rule);
  const name = `rule ${index + 1}, ${origin || 'computed'} to ${label}`;
  const [problem] = problems;
  return (
    <li
      className={classNames('border-b border-line last:border-b-0', waits && 'bg-accent-soft/40')}
      id={`rule-${index}`}
    >
      <div className="flex items-start gap-2 py-1.5 pr-2 pl-3 hover:bg-hover">
        <span className="figures w-6 flex-none pt-1 text-right text-xs text-ink-3">{index + 1}</span>
        <Opener canEdit={canEdit} isOpen={isOpen} index={index} openAt={openAt}>
          <span className="block truncate text-sm">
            {origin ? <span title={origin}>{origin}</span> : <span className="text-ink-3">Computed</span>}
            <span aria-hidden="true" className="mx-1.5 text-ink-3">
              →
            </span>
            <span className="sr-only"> to </span>
            <b className="font-[550]">{label}</b>
          </span>
          <span className="block truncate text-xs text-ink-3">
            {stepsInWords(rule)}
            {(rule.checks ?? []).length > 0 ? ` · ${(rule.checks ?? []).map(String).join(', ')}` : ''}
            {(rule.validations ?? []).length > 0 ? ` · ${rule.validations?.length} validated` : ''}
            {leavesEmpty(rule as Parameters<typeof leavesEmpty>[0]) ? ' · empty if unreadable' : ''}
          </span>
          {waits ? <span className="block text-xs text-ink-2">{suggestion.reason}</span> : null}
          {problem && !isOpen ? <span className="block text-xs text-danger">{problem.here}</span> : null}
        </Opener>
        <span className="flex flex-none flex-wrap items-center justify-end gap-1">
          {problems.length > 0 ? (
            <Chip tone="danger">{problems.length === 1 ? '1 error' : `${problems.length} errors`}</Chip>
          ) : null}
          {failing > 0 ? <Chip tone="warning">{failing} fail</Chip> : null}
          {warned > 0 ? <Chip tone="warning">{formatCount(warned, 'warning')}</Chip> : null}
          {waits ? <ConfidenceChip confidence={suggestion.confidence} /> : null}
          {canEdit ? (
            <>
              {waits ? (
                <EditButton edit={`accept:${index}`} label={`Accept ${name}`}>
                  <Check aria-hidden="true" size={15} className="text-good" />
                </EditButton>
              ) : (
                <span className="hidden sm:inline-flex">
                  {index > 0 ? (
                    <EditButton edit={`up:${index}`} label={`Move ${name} up`}>
                      <ArrowUp aria-hidden="true" size={14} />
                    </EditButton>
                  ) : (
                    <span className="size-7" />
                  )}
                  {index < count - 1 ? (
                    <EditButton edit={`down:${index}`} label={`Move ${name} down`}>
                      <ArrowDown aria-hidden="true" size={14} />
                    </EditButton>
                  ) : (
                    <span className="size-7" />
                  )}
                </span>
              )}
              <EditButton edit={`drop:${index}`} label={`Remove ${name}`}>
                <X aria-hidden="true" size={14} />
              </EditButton>
            </>
          ) : null}
        </span>
      </div>
      {isOpen ? children : null}
    </li>
  );
}

/** Suggestions that are too doubtful to be part of the mapping, each with its reason and a button that adds it. */
export function DoubtfulRules({ doubtful }: { doubtful: readonly DoubtfulRule[] }) {
  return (
    <details className="mt-4 rounded-lg border border-line">
      <summary className="px-3 py-2 text-sm text-ink-2 hover:bg-hover">
        {doubtful.length === 1 ? '1 low-confidence suggestion is' : `${doubtful.length} low-confidence suggestions are`}{' '}
        not included in the mapping
      </summary>
      <ul>
        {doubtful.map(({ rules, suggestion }, index) => {
          const rule = rules.at(-1) ?? {};
          const [origin, label] = [textOf(rule.originCol), targetLabel(rule)];
          return (
            <li key={`${origin} ${label}`} className="flex items-start gap-2 border-t border-line py-1.5 pr-2 pl-3">
              <div className="min-w-0 flex-1 py-0.5">
                <p className="truncate text-sm">
                  <span title={origin}>{origin}</span>
                  <span aria-hidden="true" className="mx-1.5 text-ink-3">
                    →
                  </span>
                  <span className="sr-only"> to </span>
                  <b className="font-[550]">{label}</b>
                </p>
                <p className="text-xs break-words text-ink-2">{suggestion.reason}</p>
              </div>
              <ConfidenceChip confidence={suggestion.confidence} />
              <Button
                type="submit"
                name="edit"
                value={`use:${index}`}
                className="h-7"
                aria-label={`Use ${origin} to ${label}`}
              >
                Use
              </Button>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
