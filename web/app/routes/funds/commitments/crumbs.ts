import type { CrumbHandle } from '../../../components/shell/breadcrumb.tsx';
import { paths } from '../../paths.ts';

interface Located {
  id: string;
  title: string;
  fund: { id: string; title: string };
}

/** The breadcrumb of a commitment's pages. @param label of the page itself; none for the commitment's own page */
export const commitmentCrumbs = (label?: string): CrumbHandle<Located> => ({
  crumbs: ({ data: { id, title, fund } }) => [
    { label: fund.title, to: paths.fund(fund.id) },
    label === undefined ? { label: title } : { label: title, to: paths.commitment(fund.id, id) },
    ...(label === undefined ? [] : [{ label }]),
  ],
});
