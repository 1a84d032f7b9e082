import { Form, Link } from '@remix-run/react';
import { BriefcaseBusiness } from 'lucide-react';
import { classNames } from '../../components/class-names.ts';
import { shortenName } from '../../components/figures/format.ts';
import { inputClass } from '../../components/forms/fields.tsx';
import { DROP_DOWN, DROP_DOWN_PANEL } from '../../components/overlays/drop-down.ts';
import { MenuSummary } from '../../components/overlays/menu.tsx';
import { useDropDown } from '../../components/overlays/use-drop-down.ts';
import { paths } from '../../paths.ts';

/** Chooses the fund whose cash is shown. It opens and searches without JavaScript. */
export function FundMenu({
  funds,
  fund,
  isPayable,
}: {
  funds: { choices: readonly { id: string; name: string }[]; search: string; hasMore: boolean };
  fund: string | null;
  isPayable: boolean;
}) {
  const details = useDropDown();
  const view = isPayable ? ('payables' as const) : undefined;
  const chosen = funds.choices.find(({ id }) => id === fund);
  const isSearched = funds.search !== '';
  return (
    // The choice closes it.
    <details ref={details} key={`${fund}${isPayable}`} open={isSearched} className={classNames('group', DROP_DOWN)}>
      <MenuSummary icon={BriefcaseBusiness} label={chosen ? shortenName(chosen.name, 40) : 'All funds'} />
      <div className={classNames(DROP_DOWN_PANEL, 'left-0 max-h-96 w-72 overflow-y-auto p-1')}>
        {funds.hasMore || isSearched ? (
          <Form method="get" action={paths.cash()} className="p-1">
            {view ? <input type="hidden" name="view" value={view} /> : null}
            {fund ? <input type="hidden" name="fund" value={fund} /> : null}
            <input
              type="search"
              name="findFund"
              defaultValue={funds.search}
              aria-label="Search funds"
              placeholder="Search funds"
              maxLength={200}
              className={inputClass()}
            />
          </Form>
        ) : null}
        <ul>
          {[{ id: undefined, name: 'All funds' }, ...funds.choices].map(({ id, name }) => (
            <li key={id ?? 'all'}>
              <Link
                to={paths.cash({ view, fund: id })}
                aria-current={(id ?? null) === fund ? 'true' : undefined}
                className={classNames(
                  'flex min-h-8 items-center rounded-md px-2.5 py-1 text-sm break-words hover:bg-hover max-sm:min-h-10',
                  (id ?? null) === fund && 'bg-selected',
                )}
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}
