import { ArrowDown, ArrowUp, Check, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../../components/class-names.ts';
import { Chip } from '../../components/page/chip.tsx';
import { type DraftFault, type DraftRule, faultHere, targetLabel, textOf } from '../draft.ts';
import { SURE } from '../edit-draft.ts';
import { stepsInWords } from '../mapping-changes.ts';
import { EditButton } from './edit-button.tsx';

/** Who edits posts the draft along; who only reads goes to the rule's address. */
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

const shareOf = (confidence: number): string => `${Math.round(confidence * 100)} %`;
const toneOf = (confidence: number) => (confidence >= SURE ? 'good' : confidence >= 0.7 ? 'neutral' : 'warning');

/** One rule of the list, closed or open; the open one holds its form. */
export function RuleRow({
  entry,
  index,
  count,
  isOpen,
  canEdit,
  faults,
  failing,
  openAt,
  children,
}: {
  entry: DraftRule;
  index: number;
  count: number;
  isOpen: boolean;
  canEdit: boolean;
  faults: readonly DraftFault[];
  /** First rows of the preview that this rule fails. */
  failing: number;
  /** The rule's own address. */
  openAt: string;
  children?: ReactNode;
}) {
  const { rule, suggestion, accepted } = entry;
  const waits = suggestion !== null && !accepted;
  const origin = textOf(rule.originCol);
  const label = targetLabel(rule);
  const name = `rule ${index + 1}, ${origin || 'computed'} to ${label}`;
  const [fault] = faults;
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
          </span>
          {waits ? <span className="block text-xs text-ink-2">{suggestion.reason}</span> : null}
          {fault && !isOpen ? <span className="block text-xs text-danger">{faultHere(fault)}</span> : null}
        </Opener>
        <span className="flex flex-none flex-wrap items-center justify-end gap-1">
          {faults.length > 0 ? (
            <Chip tone="danger">{faults.length === 1 ? '1 fault' : `${faults.length} faults`}</Chip>
          ) : null}
          {failing > 0 ? <Chip tone="warning">{failing} fail</Chip> : null}
          {waits ? (
            <Chip tone={toneOf(suggestion.confidence)}>
              <span className="sr-only">Suggested, sure to </span>
              {shareOf(suggestion.confidence)}
            </Chip>
          ) : null}
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
              <EditButton edit={`drop:${index}`} label={`Drop ${name}`}>
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
