import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import { type WaterfallBar, waterfallOf } from '@tapeline/domain/borrowing-base/waterfall.ts';
import type { WaterfallStep } from '../../components/charts/waterfall.tsx';
import { Waterfall } from '../../components/charts/waterfall.tsx';
import { paths } from '../../paths.ts';

/** A figure that is not recorded, or is in another currency than the pool, has no bar; the key figures say why. */
const isDrawable = (bar: WaterfallBar, currency: string): bar is WaterfallBar & { sum: string } =>
  bar.sum !== null && bar.currency === currency;

export function PoolToAvailability({ result, tapeId }: { result: BorrowingBaseResult; tapeId: string | null }) {
  const bars = waterfallOf(result).filter((bar) => isDrawable(bar, result.currency));
  const ends = bars.some((bar) => bar.step === 'availability') ? 'availability' : 'net borrowing base';
  return (
    <Waterfall
      title={`From pool to ${ends}`}
      note={
        <>
          {result.currency}
          {tapeId ? <span className="no-print"> · click a bar for its assets</span> : null}
        </>
      }
      currency={result.currency}
      steps={bars.map(
        (bar): WaterfallStep => ({
          label: bar.label,
          value: bar.sum as string,
          kind: bar.kind,
          tone: bar.step === 'availability' ? 'result' : bar.step === 'balance' ? 'quiet' : undefined,
          to: bar.filter && tapeId ? paths.tape(tapeId, { filter: JSON.stringify(bar.filter) }) : undefined,
        }),
      )}
    />
  );
}
