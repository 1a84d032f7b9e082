import { Link } from '@remix-run/react';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { formatCount, formatFigure, formatPercent } from '../../../../components/figures/format.ts';
import { Sentence } from '../../../../components/filters/sentence.tsx';
import { CsrfField } from '../../../../components/forms/csrf-field.tsx';
import { PostForm } from '../../../../components/forms/post-form.tsx';
import { Chip } from '../../../../components/page/chip.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { loadedPart, ShownPart } from '../../../../components/page/loaded-part.tsx';
import { MoreLink, Panel, Section } from '../../../../components/page/section.tsx';
import { paths } from '../../../../paths.ts';
import type { ContractView } from '../contract-view.server.ts';
import type { ItemView } from '../item-views.ts';
import { type ContractSection, PARTS } from '../sections.ts';
import type { Trial } from '../trial.ts';
import { Certifying, DefaultRate, LimitOverlap, TapeLimits } from './setting-forms.tsx';

const EDITOR = loadedPart(() => import('./item-editor.tsx').then((part) => part.ItemEditor));

/** The rules of one part, each as a sentence. The one being edited is open at its index. */
export function ItemList({ contract, trial }: { contract: ContractView; trial: Trial | null }) {
  const { section, items, editing, canEdit, id } = contract;
  const { item: name, meaning, empty } = PARTS[section];
  return (
    <Section
      title={meaning}
      more={
        canEdit && editing?.index !== 'new' ? (
          <MoreLink to={paths.contract(id, { tab: section, edit: 'new' })}>
            Add {/^[aeiou]/.test(name) ? 'an' : 'a'} {name}
          </MoreLink>
        ) : null
      }
    >
      <Panel>
        {items.length === 0 && editing === null ? (
          <EmptyState title={`No ${name === 'rule' ? 'rules' : `${name}s`} yet`}>{empty}</EmptyState>
        ) : (
          <ol>
            {items.map((item) =>
              editing?.index === item.index ? (
                <li key={`edit-${item.index}`} className="border-b border-line bg-canvas last:border-b-0">
                  <ShownPart of={EDITOR} contract={contract} editing={editing} heading={`Edit: ${item.title}`} />
                </li>
              ) : (
                <li key={`${item.index}-${item.title}`} className="border-b border-line last:border-b-0">
                  <Item item={item} contract={contract} trial={trial} />
                </li>
              ),
            )}
            {editing?.index === 'new' ? (
              <li className="bg-canvas">
                <ShownPart of={EDITOR} contract={contract} editing={editing} heading={`New ${name}`} />
              </li>
            ) : null}
          </ol>
        )}
      </Panel>
      {section === 'advance' ? <Certifying contract={contract} /> : null}
      {section === 'advance' ? <TapeLimits contract={contract} /> : null}
      {section === 'concentration' ? <LimitOverlap contract={contract} /> : null}
      {section === 'advance' ? <DefaultRate contract={contract} taken={trial?.counts['advance:-1'] ?? null} /> : null}
    </Section>
  );
}

/** A title that only repeats the sentence is not shown. */
const sameWords = ({ title, phrases }: ItemView) =>
  title.toLowerCase() ===
  phrases
    .map((phrase) => phrase.text)
    .join('')
    .toLowerCase();

function Item({ item, contract, trial }: { item: ItemView; contract: ContractView; trial: Trial | null }) {
  const { section, canEdit, id } = contract;
  return (
    <div
      className={`relative flex gap-3 px-3.5 py-3 ${canEdit ? 'hover:bg-hover' : ''} ${item.enabled ? '' : 'opacity-65'}`}
    >
      {canEdit ? <Order item={item} contract={contract} /> : null}
      <div className="min-w-0 flex-1 text-sm">
        <p>
          {canEdit ? (
            <Link
              to={paths.contract(id, { tab: section, edit: item.index })}
              preventScrollReset
              aria-label={`Edit ${item.title}`}
              className="after:absolute after:inset-0"
            >
              <Sentence phrases={item.phrases} />
            </Link>
          ) : (
            <Sentence phrases={item.phrases} />
          )}
        </p>
        <p className="mt-0.5 text-xs text-ink-3">
          {[...(sameWords(item) ? [] : [item.title]), ...(item.enabled ? [] : ['disabled']), ...item.notes].join(' · ')}
        </p>
        {section === 'eligibility' ? <FailedGroups trial={trial} index={item.index} /> : null}
        {section === 'offsets' ? <OffsetGroups trial={trial} index={item.index} /> : null}
        {item.description ? <p className="mt-0.5 text-xs text-ink-2">{item.description}</p> : null}
        {item.problem ? <p className="mt-0.5 text-xs text-danger">{item.problem}</p> : null}
      </div>
      <div className="flex flex-none flex-col items-end gap-1">
        {item.ratePercent === null ? null : (
          <span className="figures text-sm font-semibold">{formatFigure(item.ratePercent)}%</span>
        )}
        <Count section={section} item={item} trial={trial} />
      </div>
    </div>
  );
}

/** "2 of 4 groups excluded: d1 37.5%, d3 100%". Nothing for a rule about single assets. */
function FailedGroups({ trial, index }: { trial: Trial | null; index: number }) {
  const groups = trial?.wholeGroups[index];
  if (!groups) return null;
  const { failedGroupCount, groupCount, largest } = groups;
  const named = largest.map(({ key, percentage }) => `${key ?? 'Unknown'} ${formatPercent(percentage)}`);
  const rest = failedGroupCount - named.length;
  return (
    <p className="mt-0.5 text-xs text-ink-2">
      {formatFigure(failedGroupCount)} of {formatCount(groupCount, 'group')} excluded
      {named.length > 0 ? `: ${[...named, ...(rest > 0 ? [`${formatFigure(rest)} more`] : [])].join(', ')}` : ''}
    </p>
  );
}

/** "Offset 30.00 of d4, 0.00 left over; 2 more groups". */
function OffsetGroups({ trial, index }: { trial: Trial | null; index: number }) {
  const found = trial?.offsets[index];
  if (!found) return null;
  const { groupCount, taken, leftOver, largest } = found;
  const named = largest.map(
    (group) =>
      `${formatFigure(group.taken, 2)} of ${group.key ?? 'unknown'}, ${formatFigure(group.leftOver, 2)} left over`,
  );
  const rest = groupCount - named.length;
  const more = rest > 0 ? [`${formatCount(rest, 'more group')}`] : [];
  return (
    <>
      <p className="mt-0.5 text-xs text-ink-2">
        {named.length > 0 ? `Offset ${[...named, ...more].join('; ')}` : 'No group has an amount to take'}
      </p>
      {named.length > 1 ? (
        <p className="mt-0.5 text-xs text-ink-2">
          In all {formatFigure(taken, 2)}, {formatFigure(leftOver, 2)} left over
        </p>
      ) : null}
    </>
  );
}

/** The effect of the rule on the trial's tape. */
function Count({ section, item, trial }: { section: ContractSection; item: ItemView; trial: Trial | null }) {
  const count = trial?.counts[`${section}:${item.index}`];
  if (trial === null || section === 'values') return null;
  if (count === undefined) return item.enabled ? <Chip>not yet effective</Chip> : <Chip>off</Chip>;
  if (section === 'scopes' || section === 'advance') return <Chip>{formatCount(count, 'asset')}</Chip>;
  const figure = formatFigure(count);
  if (section === 'offsets') return count === 0 ? <Chip>no effect</Chip> : <Chip tone="warning">{figure} reduced</Chip>;
  if (section === 'concentration')
    return count === 0 ? <Chip tone="good">within</Chip> : <Chip tone="warning">{figure} reduced</Chip>;
  if (count === 0) return <Chip tone="good">all pass</Chip>;
  return <Chip tone={count * 100 >= trial.pool ? 'warning' : 'neutral'}>{figure} fail</Chip>;
}

/** Two small buttons to reorder rules, because rules are tried in order. */
function Order({ item, contract }: { item: ItemView; contract: ContractView }) {
  const last = contract.items.length - 1;
  if (last === 0) return null;
  const move = (by: '-1' | '1', isPossible: boolean) => (
    <PostForm action={paths.contract(contract.id, { tab: contract.section })} preventScrollReset>
      <CsrfField />
      <input type="hidden" name="intent" value="move" />
      <input type="hidden" name="section" value={contract.section} />
      <input type="hidden" name="index" value={item.index} />
      <input type="hidden" name="version" value={contract.version} />
      <input type="hidden" name="by" value={by} />
      <button
        type="submit"
        disabled={!isPossible}
        aria-label={`Move ${item.title} ${by === '-1' ? 'up' : 'down'}`}
        className="grid h-5 w-6 place-items-center rounded-sm text-ink-3 hover:bg-line hover:text-ink disabled:opacity-30"
      >
        {by === '-1' ? <ChevronUp aria-hidden="true" size={14} /> : <ChevronDown aria-hidden="true" size={14} />}
      </button>
    </PostForm>
  );
  return (
    <div className="relative z-10 -my-1 flex flex-none flex-col justify-center">
      {move('-1', item.index > 0)}
      {move('1', item.index < last)}
    </div>
  );
}
