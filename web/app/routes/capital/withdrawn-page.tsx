import { LinkButton } from '../../components/forms/button.tsx';
import { Chip } from '../../components/page/chip.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Panel, Section } from '../../components/page/section.tsx';
import { Deliveries, type ShownDelivery } from './who-is-told.tsx';

/** Instead of a call, a distribution or a file that was withdrawn. */
export function WithdrawnPage({
  title,
  text,
  reason,
  deliveries,
  backTo,
}: {
  title: string;
  text: string;
  /** Why, for the manager. */
  reason: string | null;
  /** Who was told of it, and of its withdrawal; none for an investor. */
  deliveries: readonly ShownDelivery[];
  backTo: { label: string; to: string };
}) {
  return (
    <>
      <PageHeader
        title={title}
        chip={<Chip tone="danger">Withdrawn</Chip>}
        actions={<LinkButton to={backTo.to}>{backTo.label}</LinkButton>}
      />
      <Notice tone="warning">{text}</Notice>
      {reason ? (
        <Section title="Reason" note="for you only">
          <Panel padded>
            <p className="text-sm whitespace-pre-line">{reason}</p>
          </Panel>
        </Section>
      ) : null}
      {deliveries.length > 0 ? <Deliveries rows={deliveries} mayTellRest={false} /> : null}
    </>
  );
}
