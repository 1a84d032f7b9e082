import type { Crumb, PageHandle } from '../../components/page/page-name.ts';
import { paths } from '../../paths.ts';

type View = 'documents' | 'navs';

interface Owner {
  readonly id: string;
  readonly title: string;
  /** Whether it is a main fund. */
  readonly isMain?: boolean;
}

const ofOwner = ({ id, title, isMain }: Owner, view: View): Crumb[] =>
  isMain
    ? [
        { label: 'Main funds', to: paths.mainFunds() },
        { label: title, to: paths.mainFund(id, { view: 'documents' }) },
      ]
    : [
        { label: 'Funds', to: paths.funds() },
        { label: title, to: paths.fund(id, { view }) },
      ];

/**
 * The breadcrumb of a form for documents of a fund or main fund. The rail has no item for these addresses.
 * @param view the tab of the fund that lists the documents
 * @param ownerOf the fund or main fund; null while it is chosen
 */
export const capitalCrumbs = <Data>(
  label: string,
  view: View,
  ownerOf: (data: Data) => Owner | null,
): PageHandle<Data> => ({
  title: label,
  crumbs(data) {
    const owner = ownerOf(data);
    return [...(owner ? ofOwner(owner, view) : [{ label: 'Funds', to: paths.funds() }]), { label }];
  },
});
