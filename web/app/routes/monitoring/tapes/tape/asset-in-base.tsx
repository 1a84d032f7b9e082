import { Link } from '@remix-run/react';
import type { AssetExplanation, RuleCut } from '@tapeline/domain/borrowing-base/explain.ts';
import type { ReactNode } from 'react';
import { DateText, Money, Percent, Unknown } from '../../../../components/figures/figures.tsx';
import { StatusChip } from '../../../../components/page/chip.tsx';
import { Facts } from '../../../../components/page/section.tsx';
import { paths } from '../../../../paths.ts';
import type { AssetsView } from '../tape-head.ts';

type Result = Readonly<Record<string, unknown>>;
const NOT_IN_POOL = 'The asset is not in the pool eligible for advance';

/** The result of a borrowing base for an asset, and the reasons. */
export function AssetInBase({
  result,
  explanation,
  base,
}: {
  result: Result;
  explanation: AssetExplanation | null;
  base: NonNullable<AssetsView['bases']['shown']>;
}) {
  const currency = explanation?.currency ?? null;
  const money = (name: string): ReactNode => {
    const sum = result[name];
    if (sum === null || sum === undefined) return <Unknown reason={NOT_IN_POOL} />;
    return currency ? (
      <Money value={{ sum: String(sum), currency }} withCurrency zero="figure" />
    ) : (
      <Money value={String(sum)} />
    );
  };
  const advance = explanation?.advance ?? null;
  return (
    <section className="mb-6" aria-labelledby="asset-in-base">
      <h3 id="asset-in-base" className="mb-1 text-sm font-semibold">
        Borrowing base
      </h3>
      <p className="mb-2 text-xs text-ink-3">
        <Link to={paths.borrowingBase(base.id)} className="tap-text text-accent underline">
          {base.note}
        </Link>
        , contract v{base.contract.revision} from <DateText value={base.contract.cutOffDate} />
      </p>
      <Facts
        items={[
          { label: 'Status', value: <StatusChip status={String(result.status)} /> },
          ...(result.scope ? [{ label: 'Scope', value: String(result.scope) }] : []),
          { label: 'Amount', value: money('amount') },
          {
            label: 'Excess removed',
            value: result.rate === null ? <Unknown reason={NOT_IN_POOL} /> : money('excessRemoved'),
          },
          { label: 'Remaining amount', value: money('remaining') },
          {
            label: 'Advance rate',
            value:
              result.rate === null ? (
                <Unknown reason={NOT_IN_POOL} />
              ) : (
                <Percent value={String(result.rate)} digits="stored" zero="figure" />
              ),
          },
          ...(advance ? [{ label: 'Rate set by', value: <RateCase advance={advance} /> }] : []),
          { label: 'Advanced amount', value: money('advanced') },
        ]}
      />
      {explanation ? <Reasons explanation={explanation} /> : null}
    </section>
  );
}

function RateCase({ advance }: { advance: NonNullable<AssetExplanation['advance']> }) {
  if (advance.case === null) return <Unknown reason="The asset’s values do not determine the case" />;
  const where = [advance.condition, advance.scope ? `in scope ${advance.scope}` : null].filter(Boolean).join(', ');
  return (
    <>
      {advance.case}
      {where ? <span className="block text-xs text-ink-3">{where}</span> : null}
    </>
  );
}

/** Every failed rule as a sentence with the asset's value, and every cut by rule and group. */
function Reasons({
  explanation: { outOfScope, failedRules, offset, concentration, currency },
}: {
  explanation: AssetExplanation;
}) {
  return (
    <>
      {outOfScope ? (
        <Reason title="Out of scope">
          <li>
            <p className="font-medium">The asset matches none of the contract’s scopes.</p>
            <p className="break-words text-ink-2">{outOfScope}</p>
          </li>
        </Reason>
      ) : null}
      {failedRules.length > 0 ? (
        <Reason title={failedRules.length === 1 ? 'Failed rule' : `${failedRules.length} failed rules`}>
          {failedRules.map(({ stage, rule, title, conditions }) => (
            <li key={`${stage}-${rule}`}>
              <p className="break-words font-medium">{title}</p>
              {conditions.map(({ condition, value }) => (
                <p key={condition} className="break-words text-ink-2">
                  {condition}: <b className="font-medium text-danger">{value}</b>
                </p>
              ))}
            </li>
          ))}
        </Reason>
      ) : null}
      {offset ? (
        <Reason title="Offsets">
          {offset.offsets.map((one) => (
            <li key={one.rule}>
              <span className="font-medium">{one.title}</span>
              <span className="block text-xs text-ink-3">{groupWords(one)}</span>
            </li>
          ))}
          <li className="flex flex-wrap justify-between gap-x-3">
            <span>{offset.offsets.length === 1 ? 'Taken off' : 'Taken off together'}</span>
            <span className="figures">
              <Money value={{ sum: offset.amount, currency }} withCurrency zero="figure" />
            </span>
          </li>
        </Reason>
      ) : null}
      {concentration.length > 0 ? (
        <Reason title="Concentration cuts">
          {concentration.map((cut) => (
            <li key={cut.rule} className="flex flex-wrap justify-between gap-x-3">
              <span className="min-w-0 break-words">
                <span className="font-medium">{cut.title}</span>
                <span className="block text-xs text-ink-3">{groupWords(cut)}</span>
                {cut.excess !== cut.removed ? (
                  <span className="block text-xs text-ink-3">
                    <Money value={cut.excess === null ? null : { sum: cut.excess, currency }} withCurrency /> excess,
                    less not above that of another limit
                  </span>
                ) : null}
              </span>
              <span className="figures">
                <Money
                  value={cut.removed === null ? null : { sum: cut.removed, currency }}
                  withCurrency
                  zero="figure"
                  unknown="Recalculate the borrowing base to see the amount each rule removed"
                />{' '}
                removed
              </span>
            </li>
          ))}
        </Reason>
      ) : null}
    </>
  );
}

const groupWords = ({ groupBy, group }: Pick<RuleCut, 'groupBy' | 'group'>): string =>
  groupBy === null ? 'Whole pool' : `${groupBy.label}: ${group ?? 'unknown'}`;

function Reason({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h4 className="mt-4 mb-1 text-xs font-semibold text-ink-2">{title}</h4>
      <ul className="space-y-2 text-sm">{children}</ul>
    </>
  );
}
