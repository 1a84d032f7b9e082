import { Link, useLoaderData, useLocation } from '@remix-run/react';
import { getChange } from '@tapeline/db/operations/history/history.ts';
import { operationText } from '@tapeline/domain/history/action-sentence.ts';
import { MAX_CHANGE_LINES, viewChanges } from '../../commands/history.server.ts';
import { DateText } from '../../components/figures/figures.tsx';
import { formatFigure } from '../../components/figures/format.ts';
import { DifferenceList } from '../../components/history/difference-list.tsx';
import { documentPage } from '../../components/history/document-page.ts';
import { SidePanel } from '../../components/overlays/side-panel.tsx';
import type { PageHandle } from '../../components/page/page-name.ts';
import { Facts } from '../../components/page/section.tsx';
import { readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';

export const handle: PageHandle<Awaited<ReturnType<typeof loader>>> = {
  title: ({ change }) => `${operationText(change.operation)}: ${change.title}`,
};

export const loader = readScreen('history/read', ({ db, params }) =>
  db(async (session) => {
    const found = await getChange(session, params.change ?? '');
    const [change] = await viewChanges(session, [found], MAX_CHANGE_LINES);
    return { change: change! };
  }),
);

const TextLink = ({ to, children }: { to: string; children: string }) => (
  <Link to={to} className="text-accent hover:underline">
    {children}
  </Link>
);

export default function ChangePanel() {
  const { change } = useLoaderData<typeof loader>();
  const { search } = useLocation();
  const { by, documentId, resource } = change;
  const page = documentPage(change);
  return (
    <SidePanel title={`${operationText(change.operation)}: ${change.title}`} closeTo={`${paths.history()}${search}`}>
      {change.sentence === null ? null : <p className="mb-4 text-sm">{change.sentence}.</p>}
      <Facts
        items={[
          {
            label: 'Who',
            value: by.userId ? <TextLink to={paths.history({ by: by.userId })}>{by.name}</TextLink> : by.name,
          },
          { label: 'Took effect', value: <DateText time value={change.at} /> },
          { label: 'Recorded', value: <DateText time value={change.recordedAt} /> },
          { label: change.collection, value: page ? <TextLink to={page}>{change.title}</TextLink> : change.title },
          ...(change.ip ? [{ label: 'Address', value: change.ip }] : []),
          ...(change.locale ? [{ label: 'Language', value: change.locale }] : []),
          ...(change.agent
            ? [{ label: 'Browser or client', value: <span className="break-words">{change.agent}</span> }]
            : []),
        ]}
      />
      <h3 className="mt-6 mb-2 text-sm font-semibold">Fields</h3>
      <DifferenceList lines={change.lines} />
      {change.more > 0 ? (
        <p className="mt-2 text-xs text-ink-3">
          {formatFigure(change.more)} more are not shown. The API returns all of them.
        </p>
      ) : null}
      <p className="mt-6 text-sm">
        <Link
          to={paths.documentHistory(resource, documentId)}
          className="tap-text font-medium text-accent hover:underline"
        >
          All changes of this document
        </Link>
      </p>
    </SidePanel>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../components/page/error-screen.tsx';
