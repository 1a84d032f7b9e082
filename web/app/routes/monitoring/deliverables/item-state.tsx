import { ITEM_STATE_LABELS } from '@tapeline/domain/deliverables/deliverable-labels.ts';
import { classNames } from '../../../components/class-names.ts';
import { TONE_TEXT } from '../covenants/covenant-tones.ts';
import type { ShownItem } from './shown-item.ts';

/** The state of an item, with what is to know about it under it. */
export function ItemStateText({
  item: { state, tone, stateNote },
}: {
  item: Pick<ShownItem, 'state' | 'tone' | 'stateNote'>;
}) {
  return (
    <>
      <span
        className={classNames(
          'flex items-center gap-1.5 font-medium whitespace-nowrap max-sm:justify-end',
          TONE_TEXT[tone],
        )}
      >
        <i aria-hidden="true" className="size-1.5 flex-none rounded-full bg-current" />
        {ITEM_STATE_LABELS[state]}
      </span>
      {stateNote ? (
        <span className="block max-w-56 truncate pl-3 text-xs text-ink-2 max-sm:ml-auto max-sm:max-w-40 max-sm:pl-0">
          {stateNote}
        </span>
      ) : null}
    </>
  );
}
