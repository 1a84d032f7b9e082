import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import { endOf, type WaterfallBar, waterfallOf } from '@tapeline/domain/borrowing-base/waterfall.ts';
import type { WaterfallStep } from '../../../../components/charts/waterfall.tsx';
import { Waterfall } from '../../../../components/charts/waterfall.tsx';
import type { AssetsTo } from './assets-to.ts';

/**
 * A figure that is not recorded, or that is in a currency other than the pool's, has no bar. The key figures explain
 * why.
 */
const isDrawable = (bar: WaterfallBar, currency: string): bar is WaterfallBar & { sum: string } =>
  bar.sum !== null && bar.currency === currency;

export function PoolToAvailability({ result, assetsTo }: { result: BorrowingBaseResult; assetsTo: AssetsTo | null }) {
  const bars = waterfallOf(result).filter((bar) => isDrawable(bar, result.currency));
  return (
    <Waterfall
      title={`From pool to ${endOf(bars)}`}
      note={
        <>
          {result.currency}
          {assetsTo ? <span className="no-print"> · click a bar for its assets</span> : null}
        </>
      }
      currency={result.currency}
      steps={bars.map(
        (bar): WaterfallStep => ({
          label: bar.label,
          value: bar.sum as string,
          kind: bar.kind,
          tone: bar.step === 'availability' ? 'result' : bar.step === 'balance' ? 'quiet' : undefined,
          to: bar.filter && assetsTo ? assetsTo(bar.filter) : undefined,
        }),
      )}
    />
  );
}
