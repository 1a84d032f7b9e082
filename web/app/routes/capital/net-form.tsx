import type { Nettable } from '@tapeline/db/operations/capital/netting.ts';
import { IntentForm } from '../../components/forms/intent-form.tsx';
import { PanelSection } from '../../components/page/section.tsx';
import type { NettedTable } from './netting.tsx';
import { otherValue } from './stepped.ts';

/** Marks a draft as netted with another of its fund, its currency and its day. */
export function NetForm({
  nettable,
  table,
  version,
}: {
  nettable: readonly Nettable[];
  table: NettedTable;
  version: number;
}) {
  const noun = table === 'contributions' ? 'distribution' : 'call';
  return (
    <PanelSection
      title={`Settle with a ${noun} of the same date`}
      note="each investor pays or receives the difference, and gets one notice of both"
      padded
    >
      <IntentForm
        intent="net"
        sent={{ headerVersion: version }}
        values={nettable.length === 1 ? { other: otherValue(nettable[0]!) } : {}}
        className="grid max-w-md gap-4"
        lines={[
          {
            name: 'other',
            label: noun === 'call' ? 'Draft call' : 'Draft distribution',
            choices: nettable.map((one) => ({
              value: otherValue(one),
              label: `${noun === 'call' ? 'Call' : 'Distribution'} ${one.number}`,
            })),
            empty: `Choose a ${noun}`,
          },
        ]}
        submit="Net them"
        submitting="Netting"
      />
    </PanelSection>
  );
}
