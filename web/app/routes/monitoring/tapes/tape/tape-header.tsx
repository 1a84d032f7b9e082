import { Link } from '@remix-run/react';
import { Download, ExternalLink } from 'lucide-react';
import { DateText, Name } from '../../../../components/figures/figures.tsx';
import { formatBytes } from '../../../../components/figures/format.ts';
import { ActionForm } from '../../../../components/forms/action-form.tsx';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { ConfirmForm } from '../../../../components/overlays/confirm-form.tsx';
import { StatusChip } from '../../../../components/page/chip.tsx';
import { PageHeader } from '../../../../components/page/page-header.tsx';
import { paths } from '../../../../paths.ts';
import type { TapeHead } from '../tape-head.ts';
import { ExportMenu } from './export-menu.tsx';
import { CANCEL, removeQuestion } from './tape-notices.tsx';

/** What the tape is, its company and dates, and the available actions. */
export function TapeHeader({
  head,
  filter,
  borrowingBase,
}: {
  head: TapeHead;
  filter: string | null;
  /** The borrowing base whose results the page shows. */
  borrowingBase: string | undefined;
}) {
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
          {may.remap ? (
            <>
              {' '}
              <Link to={paths.remapTape(head.id)} className="text-accent hover:underline">
                use another
              </Link>
            </>
          ) : null}
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
          {head.originalFileId ? (
            <LinkButton external to={paths.download(head.originalFileId)} icon={Download}>
              Original file
            </LinkButton>
          ) : null}
          {head.counts ? <ExportMenu tapeId={head.id} filter={filter} borrowingBase={borrowingBase} /> : null}
          {may.cancel ? <ConfirmForm intent="remove" label="Cancel" {...CANCEL} /> : null}
          {may.remove ? <ConfirmForm intent="remove" label="Remove" {...removeQuestion(head)} /> : null}
          {may.cancelRerun ? <ActionForm intent="cancelRerun">Cancel reprocessing</ActionForm> : null}
          {may.cancelBases ? <ActionForm intent="cancelBases">Cancel calculation</ActionForm> : null}
          {may.retry ? (
            <ActionForm intent="retry" tone="primary">
              Try again
            </ActionForm>
          ) : null}
          {may.calculate ? (
            <ActionForm intent="calculate" tone={head.basesCount > 0 ? undefined : 'primary'}>
              Calculate borrowing base
            </ActionForm>
          ) : null}
        </>
      }
    />
  );
}
