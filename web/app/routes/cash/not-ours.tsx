import { OWN_ITEM_LABELS, OWN_ITEMS } from '@tapeline/domain/cash/labels.ts';
import { classNames } from '../../components/class-names.ts';
import { DROP_DOWN, DROP_DOWN_PANEL } from '../../components/overlays/drop-down.ts';
import { MenuSummary } from '../../components/overlays/menu.tsx';
import { useDropDown } from '../../components/overlays/use-drop-down.ts';
import { intentWith, OTHER_INTENT } from '../../http/list-edits.ts';

/**
 * Says in one click that payments are with no investor or borrower: fees and interest of the bank, transfers between own
 * accounts. It opens without JavaScript.
 * @param only the payment that it is about; the chosen ones if omitted
 */
export function NotOursMenu({ label, only, opensUp = false }: { label: string; only?: string; opensUp?: boolean }) {
  const details = useDropDown();
  return (
    <details ref={details} className={classNames('group', DROP_DOWN)}>
      <MenuSummary label={label} />
      <ul className={classNames(DROP_DOWN_PANEL, 'w-52 p-1', opensUp ? 'bottom-full left-0 mb-1' : 'right-0')}>
        {OWN_ITEMS.map((ownItem) => (
          <li key={ownItem}>
            <button
              type="submit"
              name={OTHER_INTENT}
              value={intentWith('own', { ownItem, ...(only ? { only } : {}) })}
              className="flex min-h-8 w-full items-center rounded-md px-2.5 text-left text-sm hover:bg-hover max-sm:min-h-10"
            >
              {OWN_ITEM_LABELS[ownItem]}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
