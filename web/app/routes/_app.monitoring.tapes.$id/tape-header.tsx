import { Link } from '@remix-run/react';
import { Download, ExternalLink } from 'lucide-react';
import { DateText, Name } from '../../components/figures/figures.tsx';
import { LinkButton } from '../../components/forms/button.tsx';
import { ActionForm } from '../../components/forms/screen-form.tsx';
import { ConfirmForm } from '../../components/overlays/confirm-form.tsx';
import { StatusChip } from '../../components/page/chip.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { formatBytes } from '../../figures/format.ts';
import { paths } from '../../paths.ts';
import type { TapeHead } from '../../tapes/tape-head.ts';

/** What the tape is, from whom and when, and what may be done with it. */
export function TapeHeader({ head, filter }: { head: TapeHead; filter: string | null }) {
  const { may } = head;
  const version = `v${head.mappingVersion}`;
  const mapping = head.mapping ? (
    <Link to={paths.mapping(head.mapping.id)} className="hover:underline">
      {version}
    </Link>
  ) : (
    version
  );
  return (
    <PageHeader
      title={<Name length={60}>{head.title}</Name>}
      chip={<StatusChip dot status={head.state} />}
      facts={[
        head.company.name,
        <>
          cut-off{' '}
          <b>
            <DateText value={head.cutOffDate} />
          </b>
        </>,
        <>
          mapping <b>{mapping}</b>
        </>,
        ...(head.sheet
          ? [
              <>
                sheet <b>{head.sheet}</b>
              </>,
            ]
          : []),
        <>
          {formatBytes(head.sizeBytes)}, uploaded {head.uploadedBy ? `by ${head.uploadedBy} ` : ''}
          <DateText time value={head.uploadedAt} />
        </>,
      ]}
      actions={
        <>
          {head.workflowUrl ? (
            <LinkButton external to={head.workflowUrl} icon={ExternalLink} target="_blank">
              Workflow
            </LinkButton>
          ) : null}
          {head.counts ? (
            <LinkButton external to={paths.tapeExport(head.id, { filter: filter ?? undefined })} icon={Download}>
              Export
            </LinkButton>
          ) : null}
          {may.cancel ? (
            <ConfirmForm
              intent="remove"
              label="Cancel"
              title="Cancel this tape?"
              consequence="The work stops, and everything it has written so far is removed. The tape can be uploaded again."
              confirm="Cancel the tape"
            />
          ) : null}
          {may.remove ? (
            <ConfirmForm
              intent="remove"
              label="Remove"
              title="Remove this tape?"
              consequence={
                head.basesCount > 0
                  ? 'Its assets and the borrowing bases made from it are removed. The history keeps what it was.'
                  : 'Its assets are removed. The history keeps what it was.'
              }
              confirm="Remove the tape"
            />
          ) : null}
          {may.retry ? (
            <ActionForm intent="retry" tone="primary">
              Try again
            </ActionForm>
          ) : null}
          {may.calculate ? (
            <ActionForm intent="calculate" tone="primary">
              Calculate borrowing base
            </ActionForm>
          ) : null}
        </>
      }
    />
  );
}
