import type { PageHandle } from '../../../components/page/page-name.ts';
import { paths } from '../../../paths.ts';

interface Located {
  id: string;
  title: string;
  fund: { id: string; title: string };
}

/** The breadcrumb of a commitment's pages. @param label of the page itself; none for the commitment's own page */
export const commitmentCrumbs = (label?: string, named?: PageHandle<Located>['title']): PageHandle<Located> => ({
  crumbs: ({ id, title, fund }) => [
    { label: fund.title, to: paths.fund(fund.id) },
    label === undefined ? { label: title } : { label: title, to: paths.commitment(fund.id, id) },
    ...(label === undefined ? [] : [{ label }]),
  ],
  ...(named === undefined ? {} : { title: named }),
});
