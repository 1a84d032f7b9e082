import { Link } from '@remix-run/react';
import { DateText, Name } from '../../../../components/figures/figures.tsx';
import { formatBytes } from '../../../../components/figures/format.ts';
import { ActionForm } from '../../../../components/forms/action-form.tsx';
import { ConfirmForm } from '../../../../components/overlays/confirm-form.tsx';
import { MenuFormItem, MenuLinkItem, MoreMenu } from '../../../../components/overlays/menu.tsx';
import { StatusChip } from '../../../../components/page/chip.tsx';
import { PageHeader } from '../../../../components/page/page-header.tsx';
import { paths } from '../../../../paths.ts';
import type { TapeHead } from '../tape-head.ts';
import { CANCEL, removeQuestion } from './tape-notices.tsx';

/** What the tape is, its company and dates, the action that comes next, and the others in a menu. */
export function TapeHeader({ head }: { head: TapeHead }) {
  const { may } = head;
  const hasBase = head.basesCount > 0;
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
          {may.cancel ? <ConfirmForm intent="remove" label="Cancel" {...CANCEL} /> : null}
          {may.cancelRerun ? <ActionForm intent="cancelRerun">Cancel reprocessing</ActionForm> : null}
          {may.cancelBases ? <ActionForm intent="cancelBases">Cancel calculation</ActionForm> : null}
          {may.retry ? (
            <ActionForm intent="retry" tone="primary">
              Try again
            </ActionForm>
          ) : null}
          {may.calculate && !hasBase ? (
            <ActionForm intent="calculate" tone="primary">
              Calculate borrowing base
            </ActionForm>
          ) : null}
          <MoreMenu>
            {head.originalFileId ? (
              <MenuLinkItem to={paths.download(head.originalFileId)} label="Original file" />
            ) : null}
            {head.workflowUrl ? <MenuLinkItem to={head.workflowUrl} label="Workflow" isNewTab /> : null}
            {may.calculate && hasBase ? (
              <MenuFormItem>
                <ActionForm intent="calculate">Recalculate borrowing base</ActionForm>
              </MenuFormItem>
            ) : null}
            {may.remove ? (
              <MenuFormItem>
                <ConfirmForm intent="remove" label="Remove" {...removeQuestion(head)} />
              </MenuFormItem>
            ) : null}
          </MoreMenu>
        </>
      }
    />
  );
}
