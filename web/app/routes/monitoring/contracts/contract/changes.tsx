import { formatCount } from '../../../../components/figures/format.ts';
import { Chip, type Tone } from '../../../../components/page/chip.tsx';
import { MoreLink, PanelSection } from '../../../../components/page/section.tsx';
import { paths } from '../../../../paths.ts';
import type { ContractChange } from '../compare-contracts.ts';
import type { ContractView } from '../contract-view.server.ts';
import { PARTS } from '../sections.ts';

const TONES: Readonly<Record<ContractChange['kind'], Tone>> = {
  added: 'good',
  removed: 'danger',
  changed: 'warning',
  moved: 'neutral',
};

/** The differences from the previous contract, rule by rule. */
export function Changes({ contract, changes }: { contract: ContractView; changes: readonly ContractChange[] }) {
  const { before, revision } = contract;
  return (
    <PanelSection
      title={`Changes since v${before?.revision ?? ''}`}
      note={changes.length === 0 ? 'none' : formatCount(changes.length, 'change')}
      more={<MoreLink to={paths.contract(contract.id, { tab: contract.section })}>Close comparison</MoreLink>}
    >
      {changes.length === 0 ? (
        <p className="p-4 text-sm text-ink-2">
          v{revision} is identical to v{before?.revision}.
        </p>
      ) : (
        <ul className="text-sm">
          {changes.map((change) => (
            <li
              key={`${change.section}-${change.kind}-${change.title}`}
              className="grid gap-x-4 gap-y-1 border-b border-line px-4 py-2.5 last:border-b-0 md:grid-cols-[7rem_minmax(0,14rem)_minmax(0,1fr)]"
            >
              <span className="text-ink-3">{PARTS[change.section].title}</span>
              <span className="flex items-start justify-between gap-2 font-medium">
                <span className="min-w-0 break-words">{change.title}</span>
                <Chip tone={TONES[change.kind]}>{change.kind}</Chip>
              </span>
              <span className="min-w-0 break-words">
                {change.before === null ? null : (
                  <del className={change.after === null ? undefined : 'text-ink-3'}>{change.before}</del>
                )}
                {change.before !== null && change.after !== null ? (
                  <span aria-hidden="true" className="text-ink-3">
                    {' → '}
                  </span>
                ) : null}
                {change.after === null ? null : <ins className="no-underline">{change.after}</ins>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </PanelSection>
  );
}
