import { DateText } from '../../../../components/figures/figures.tsx';
import { AttachedFiles } from '../../../../components/page/attached-files.tsx';
import { PanelSection } from '../../../../components/page/section.tsx';
import { paths } from '../../../../paths.ts';
import type { DrawPage } from './draw-page.server.ts';

export function Documents({ page }: { page: DrawPage }) {
  return (
    <PanelSection title="Documents" note={String(page.attachments.length)}>
      {page.attachments.length === 0 ? (
        <p className="px-3.5 py-3 text-sm text-ink-3">No documents are attached.</p>
      ) : (
        <AttachedFiles files={page.attachments} address={(index) => paths.drawFile(page.id, index)} />
      )}
    </PanelSection>
  );
}

export function BorrowersNote({ page }: { page: DrawPage }) {
  const { requested, decided, description, status } = page;
  return (
    <PanelSection title="Request" padded className="text-sm">
      <p className="break-words whitespace-pre-wrap">{description ?? 'No description was given.'}</p>
      <p className="mt-2 text-xs text-ink-3">
        {requested.by ?? 'Requested'} · <DateText time value={requested.at} />
      </p>
      {decided ? (
        <p className="text-xs text-ink-3">
          {status} {decided.by ? `by ${decided.by}` : ''} · <DateText time value={decided.at} />
        </p>
      ) : null}
    </PanelSection>
  );
}
