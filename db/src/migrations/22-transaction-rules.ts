import { Migration } from '@mikro-orm/migrations';
import {
  BASE_RATES,
  DATE_RANGE_TYPES,
  DAY_COUNTS,
  DEBT_ONLY_DATES,
  DRAW_FREQUENCIES,
  EQUITY_TYPE,
  FEE_FREQUENCIES,
  FEE_TYPES,
} from './as-landed.ts';

const among = (values: readonly string[]): string => `(${values.map((value) => `'${value}'`).join(', ')})`;
/** Whether a value that may be missing or null holds, once it is given. */
const given = (value: string, condition: string): string =>
  `(${value} is null or ${value} = 'null' or coalesce(${condition}, false))`;

/** Checks of the terms of notes and tranches, as the schema of terms has them. */
const terms = `
create function amount_holds(amount jsonb) returns boolean immutable parallel safe language plpgsql as $$ begin
  return ${given('amount', "(amount ->> 'sum')::numeric >= 0 and amount ->> 'currency' ~ '^[A-Z]{3}$'")};
end $$;
create function range_holds(range jsonb) returns boolean immutable parallel safe language plpgsql as $$ begin
  return ${given('range', "(range ->> 'max')::numeric > (range ->> 'min')::numeric")};
end $$;
create function interest_holds(interest jsonb) returns boolean immutable parallel safe language plpgsql as $$ begin
  return ${given(
    'interest',
    `(interest ->> 'dayCount' is null or interest ->> 'dayCount' in ${among(DAY_COUNTS)}) and case interest ->> 'kind'
      when 'fix' then (interest ->> 'value')::numeric >= 0
      when 'variable' then interest ->> 'baseRate' in ${among(BASE_RATES)} and (interest ->> 'spread')::numeric is not null
        and (interest ->> 'minimumInterest')::numeric >= 0 and range_holds(interest -> 'numberRange')
      else false end`,
  )};
end $$;
create function fee_holds(fee jsonb) returns boolean immutable parallel safe language plpgsql as $$ begin
  return coalesce(btrim(fee ->> 'title') <> '' and btrim(fee ->> 'kind') <> ''
    and fee ->> 'frequency' in ${among(FEE_FREQUENCIES)}
    and (jsonb_typeof(fee -> 'rate') = 'number' or (fee #>> '{rate,sum}')::numeric is not null)
    and (fee ->> 'feeType' is null or fee ->> 'feeType' in ${among(FEE_TYPES)})
    and (fee #>> '{dateRange,start}' is null or fee #>> '{dateRange,end}' is null
      or fee #>> '{dateRange,start}' < fee #>> '{dateRange,end}')
    and ${given(
      "(fee -> 'dateRangeType')",
      `fee #>> '{dateRangeType,start}' in ${among(DATE_RANGE_TYPES)}
      and fee #>> '{dateRangeType,end}' in ${among(DATE_RANGE_TYPES)}
      and (fee #>> '{dateRangeType,start}' <> 'custom' or fee #>> '{dateRange,start}' is not null)
      and (fee #>> '{dateRangeType,end}' <> 'custom' or fee #>> '{dateRange,end}' is not null)`,
    )}, false);
end $$;
create function warrant_holds(warrant jsonb) returns boolean immutable parallel safe language plpgsql as $$ begin
  return amount_holds(warrant -> 'outstandingIssuedValue') and amount_holds(warrant -> 'totalExercisePrice')
    and amount_holds(warrant -> 'holdingValue')
    and (warrant ->> 'unallocatedShares' is null or (warrant ->> 'unallocatedShares')::numeric >= 0)
    and (warrant #>> '{actual,percentage}' is null or (warrant #>> '{actual,percentage}')::numeric between 0 and 100);
end $$;
create function timeline_holds(timeline jsonb) returns boolean immutable parallel safe language plpgsql as $$ begin
  return ${given(
    'timeline',
    `timeline ->> 'contractSigning' is not null and (timeline ->> 'revolvingStart' is null
      or timeline ->> 'revolvingEnd' is null or timeline ->> 'revolvingStart' < timeline ->> 'revolvingEnd')`,
  )};
end $$;
create function draw_limit_holds(limits jsonb) returns boolean immutable parallel safe language plpgsql as $$ begin
  return ${given(
    'limits',
    `range_holds(limits -> 'amountRange') and range_holds(limits -> 'dueDateLimit')
      and ${given("(limits -> 'amountRange')", "(limits #>> '{amountRange,min}')::numeric >= 0")}
      and ${given("(limits -> 'dueDateLimit')", "(limits #>> '{dueDateLimit,min}')::numeric >= 0")}
      and ${given(
        "(limits -> 'frequency')",
        `(limits #>> '{frequency,limit}')::numeric >= 1 and limits #>> '{frequency,interval}' in ${among(DRAW_FREQUENCIES)}`,
      )}
      and (limits ->> 'maxPercentage' is null or (limits ->> 'maxPercentage')::numeric between 0 and 100)
      and amount_holds(limits -> 'defaultAmount') and amount_holds(limits -> 'maxAmount')
      and amount_holds(limits -> 'maxCollectionAccount')`,
  )};
end $$;
create function terms_hold(terms jsonb) returns boolean immutable parallel safe language plpgsql as $$ begin
  return ${given(
    'terms',
    `(select coalesce(bool_and((commitment #>> '{amount,sum}')::numeric >= 0
        and commitment #>> '{amount,currency}' ~ '^[A-Z]{3}$'), true)
      from jsonb_array_elements(coalesce(nullif(terms -> 'commitments', 'null'), '[]')) as commitment)
      and interest_holds(terms -> 'interest') and timeline_holds(terms -> 'timeline')
      and (select coalesce(bool_and(fee_holds(fee)), true)
        from jsonb_array_elements(coalesce(nullif(terms -> 'fees', 'null'), '[]')) as fee)
      and (select coalesce(bool_and(warrant_holds(warrant)), true)
        from jsonb_array_elements(coalesce(nullif(terms -> 'warrants', 'null'), '[]')) as warrant)
      and draw_limit_holds(terms #> '{drawLimits,draw}') and draw_limit_holds(terms #> '{drawLimits,prefunding}')
      and draw_limit_holds(terms #> '{drawLimits,recycling}')`,
  )};
end $$;`;

const NONE_OF_DEBT = DEBT_ONLY_DATES.map((date) => `timeline ->> '${date}' is null`).join(' and ');

const notes = `
create function tranche_rules_hold(tranches jsonb) returns boolean immutable parallel safe language plpgsql as $$ begin
  return (select coalesce(bool_and(terms_hold(tranche -> 'terms')
      and ((tranche -> 'sequenceActivated') is distinct from 'true' or (tranche -> 'isDiscretional') is distinct from 'true'
        or coalesce(tranche #>> '{approval,user,id}' ~ '^[0-9a-f]{24}$'
          and tranche #>> '{approval,approvedAt}' is not null, false))), true)
    from jsonb_array_elements(coalesce(tranches, '[]')) as tranche);
end $$;
create function holdings_hold(holdings jsonb) returns boolean immutable parallel safe language plpgsql as $$ begin
  return (select coalesce(bool_and(coalesce((holding ->> 'targetPercentage')::numeric between 0 and 100
      and (holding ->> 'actualPercentage')::numeric between 0 and 100
      and (coalesce(holding ->> 'fund', '') = '') <> (coalesce(holding ->> 'holding', '') = ''), false)), true)
    from jsonb_array_elements(coalesce(nullif(holdings, 'null'), '[]')) as holding);
end $$;
create function note_rules_hold(notes jsonb) returns boolean immutable parallel safe language plpgsql as $$ begin
  return (select coalesce(bool_and(terms_hold(note -> 'terms') and tranche_rules_hold(note -> 'tranches')
      and holdings_hold(note -> 'holdings')
      and amount_holds(note #> '{futureInvestmentRights,amount}')), true)
    from jsonb_array_elements(notes) as note);
end $$;
create function timelines_fit(type text, notes jsonb) returns boolean immutable parallel safe language plpgsql as $$ begin
  return (select coalesce(bool_and(case type when '${EQUITY_TYPE}' then ${NONE_OF_DEBT}
      else timeline ->> 'maturity' is not null end), true)
    from (
      select note #> '{terms,timeline}' as timeline from jsonb_array_elements(notes) as note
      union all
      select jsonb_path_query(notes, '$[*].tranches[*].terms.timeline')
    ) as timelines where timeline <> 'null');
end $$;
alter table transactions
  add constraint transactions_terms check (note_rules_hold(notes)),
  add constraint transactions_timelines check (timelines_fit(type, notes));`;

const dateOf = (name: string, aggregate: 'min' | 'max', path: string): string => `
create function ${name}_of(notes jsonb) returns date immutable parallel safe language plpgsql as $$ begin
  return (select make_date(left(day, 4)::integer, substr(day, 6, 2)::integer, substr(day, 9, 2)::integer)
    from (select ${aggregate}(item #>> '{}') as day
      from jsonb_path_query(notes, '${path} ? (@.type() == "string")') as item) as days);
end $$;`;
/** The different texts at the paths, joined: "GBP, USD". */
const textsOf = (name: string, ...paths: string[]): string => `
create function ${name}_of(notes jsonb) returns text immutable parallel safe language plpgsql as $$ begin
  return (select string_agg(distinct item #>> '{}', ', ') from (${paths
    .map((path) => `select jsonb_path_query(notes, '${path} ? (@.type() == "string")') as item`)
    .join(' union all ')}) as texts);
end $$;`;
const pointOf = (name: string, aggregate: 'min' | 'max', path: string): string => `
create function ${name}_of(notes jsonb) returns numeric immutable parallel safe language plpgsql as $$ begin
  return (select ${aggregate}((item #>> '{}')::numeric)
    from jsonb_path_query(notes, '${path} ? (@.type() == "number")') as item);
end $$;`;

const TERMS = ['$[*].terms', '$[*].tranches[*].terms'];
const FIGURES = [
  ['maturity', 'date', dateOf('maturity', 'max', '$[*].tranches[*].terms.timeline.maturity')],
  ['contract_signing', 'date', dateOf('contract_signing', 'min', '$[*].tranches[*].terms.timeline.contractSigning')],
  ['main_currency', 'text', textsOf('main_currency', '$[*].mainCurrency')],
  ['note_titles', 'text', textsOf('note_titles', '$[*].title')],
  ['tranche_titles', 'text', textsOf('tranche_titles', '$[*].tranches[*].title')],
  ['interest_kind', 'text', textsOf('interest_kind', ...TERMS.map((terms) => `${terms}.interest.kind`))],
  ['base_rate', 'text', textsOf('base_rate', ...TERMS.map((terms) => `${terms}.interest.baseRate`))],
  ['attachment_point', 'numeric', pointOf('attachment_point', 'min', '$[*].priority.attachmentPoint')],
  ['detachment_point', 'numeric', pointOf('detachment_point', 'max', '$[*].priority.detachmentPoint')],
] as const;

/** Generated from the notes and stored with them: a list of 50,000 facilities sorts by them without reading the notes. */
const figures = `${FIGURES.map(([, , sql]) => sql).join('')}
create function amount_in(amounts jsonb, currency text) returns numeric immutable parallel safe language plpgsql as $$ begin
  return (select sum((amount ->> 'sum')::numeric) from jsonb_array_elements(amounts) as amount
    where amount ->> 'currency' = currency);
end $$;
create function texts_of(list jsonb) returns text immutable parallel safe language plpgsql as $$ begin
  return (select string_agg(item, ', ') from jsonb_array_elements_text(list) as item);
end $$;
alter table transactions
${FIGURES.map(([name, type]) => `  add column ${name} ${type} generated always as (${name}_of(notes)) stored`).join(',\n')};`;

/** The rules of terms, tranches and holdings, and the figures of transactions that lists filter and sort by. */
export class TransactionRules extends Migration {
  override up(): void {
    this.addSql([terms, notes, figures].join('\n'));
  }
}
