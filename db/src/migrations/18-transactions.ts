import { Migration } from '@mikro-orm/migrations';
import { boundMoney } from './10-currencies.ts';
import {
  BASE_RATES,
  DATE_RANGE_TYPES,
  DAY_COUNTS,
  DEBT_ONLY_DATES,
  DRAW_FREQUENCIES,
  EQUITY_TYPE,
  FEE_FREQUENCIES,
  FEE_TYPES,
  MAX_INDUSTRIES,
  MAX_NOTES,
  TRANSACTION_STATES,
  TRANSACTION_TYPES,
} from './as-landed.ts';
import { among, given, list, named, oneOf, tenantTable, text } from './tenant-table.ts';

/** Notes and their tranches are documents inside a transaction. */
const notes = `
create function tranches_hold(tranches jsonb) returns boolean immutable parallel safe language sql
  return (select count(*) filter (where (tranche -> 'sequenceActivated') = 'true') <= 1
      and count(distinct tranche -> 'sequence') = count(*)
      and coalesce(bool_and(
        coalesce(btrim(tranche ->> 'title') <> '', false)
        and coalesce(btrim(tranche ->> 'type') <> '', false)
        and coalesce(jsonb_array_length(tranche #> '{terms,commitments}') >= 1, false)
        and list_within(tranche #> '{terms,fees}', 50)), true)
    from jsonb_array_elements(coalesce(tranches, '[]')) as tranche);
create function priority_holds(priority jsonb) returns boolean immutable parallel safe language sql
  return priority is null or priority = 'null' or coalesce(
    (priority -> 'attachmentPoint')::numeric between 0 and 99.9
    and (priority -> 'detachmentPoint')::numeric between 0.1 and 100
    and (priority -> 'attachmentPoint')::numeric < (priority -> 'detachmentPoint')::numeric, false);
create function notes_hold(notes jsonb) returns boolean immutable parallel safe language sql
  return (select count(distinct note ->> 'title') = count(*) and count(distinct note ->> 'id') = count(*)
      and bool_and(
        coalesce(note ->> 'id' ~ '^[0-9a-f]{24}$', false)
        and coalesce(btrim(note ->> 'title') <> '', false)
        and priority_holds(note -> 'priority')
        and list_within(note #> '{terms,fees}', 50)
        and tranches_hold(note -> 'tranches'))
    from jsonb_array_elements(notes) as note);
create function notes_within(notes jsonb) returns boolean immutable parallel safe language sql
  return (select coalesce(bool_and(
      text_within(note ->> 'title', 1, 250) and list_within(note -> 'tranches', 200) and list_within(note -> 'holdings', 200)
      and list_within(note -> 'security', 200) and list_within(note -> 'legalAgreements', 200)
      and list_within(note -> 'counselsCompany', 200) and list_within(note -> 'counselsManager', 200)
      and list_within(note #> '{terms,commitments}', 200) and list_within(note #> '{terms,warrants}', 100)), true)
    from jsonb_array_elements(notes) as note);`;

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

/**
 * The rules of notes, tranches and holdings. `note_rules_hold` has the search path of its creation: pg_restore and
 * replication write rows with an empty one.
 */
const rules = `
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
create function note_rules_hold(notes jsonb) returns boolean immutable parallel safe language plpgsql set search_path from current as $$ begin
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
-- A maturity is after the signing, and rates of interest are within 1,000 per cent.
create function terms_fit(notes jsonb) returns boolean immutable parallel safe language plpgsql as $$ begin
  return not jsonb_path_exists(notes, '$[*].**.timeline ? (@.maturity <= @.contractSigning)')
    and not jsonb_path_exists(notes, '$[*].**.interest ? (@.value > 1000 || @.minimumInterest > 1000 || @.spread > 1000 || @.spread < -1000)')
    and amounts_fit(jsonb_path_query_array(notes, '$[*].**.commitments[*].amount'));
end $$;`;

const dateOf = (name: string, aggregate: 'min' | 'max', path: string): string => `
create function ${name}_of(notes jsonb) returns date immutable parallel safe language plpgsql as $$ begin
  return (select make_date(left(day, 4)::integer, substr(day, 6, 2)::integer, substr(day, 9, 2)::integer)
    from (select ${aggregate}(item #>> '{}') as day
      from jsonb_path_query(notes, '${path} ? (@.type() == "string")') as item) as days);
end $$;`;
const pointOf = (name: string, aggregate: 'min' | 'max', path: string): string => `
create function ${name}_of(notes jsonb) returns numeric immutable parallel safe language plpgsql as $$ begin
  return (select ${aggregate}((item #>> '{}')::numeric)
    from jsonb_path_query(notes, '${path} ? (@.type() == "number")') as item);
end $$;`;
/** The different texts at the paths, sorted. */
const listOf = ([name, ...paths]: readonly [string, ...string[]]): string => `
create function ${name}_of(notes jsonb) returns text[] immutable parallel safe language plpgsql as $$ begin
  return array(select distinct item #>> '{}' from (${paths
    .map((path) => `select jsonb_path_query(notes, '${path} ? (@.type() == "string")') as item`)
    .join(' union all ')}) as texts order by 1);
end $$;`;

const TERMS = ['$[*].terms', '$[*].tranches[*].terms'];

/** Figures of the notes, generated and stored with them: a list of 50,000 facilities sorts by them without reading the notes. */
const FIGURES: Readonly<Record<string, readonly [type: string, sql: string]>> = {
  maturity: ['date', dateOf('maturity', 'max', '$[*].tranches[*].terms.timeline.maturity')],
  contract_signing: ['date', dateOf('contract_signing', 'min', '$[*].tranches[*].terms.timeline.contractSigning')],
  // Lists, of which a filter asks for one element.
  main_currency: ['text[]', listOf(['main_currency', '$[*].mainCurrency'])],
  note_titles: ['text[]', listOf(['note_titles', '$[*].title'])],
  tranche_titles: ['text[]', listOf(['tranche_titles', '$[*].tranches[*].title'])],
  interest_kind: ['text[]', listOf(['interest_kind', ...TERMS.map((of) => `${of}.interest.kind`)])],
  base_rate: ['text[]', listOf(['base_rate', ...TERMS.map((of) => `${of}.interest.baseRate`)])],
  attachment_point: ['numeric', pointOf('attachment_point', 'min', '$[*].priority.attachmentPoint')],
  detachment_point: ['numeric', pointOf('detachment_point', 'max', '$[*].priority.detachmentPoint')],
};
const figures = `${Object.values(FIGURES)
  .map(([, sql]) => sql)
  .join('')}
create function amount_in(amounts jsonb, currency text) returns numeric immutable parallel safe language plpgsql as $$ begin
  return (select sum((amount ->> 'sum')::numeric) from jsonb_array_elements(amounts) as amount
    where amount ->> 'currency' = currency);
end $$;`;

const transactions = tenantTable({
  name: 'transactions',
  tenant: 'company',
  history: { resource: 'transactions', canBeBlocked: true },
  statuses: TRANSACTION_STATES,
  columns: {
    title: text({ minLength: 1, maxLength: 250 }),
    type: oneOf(TRANSACTION_TYPES),
    industries: list(MAX_INDUSTRIES, 1),
    notes: list(MAX_NOTES, 1),
    max_commitments: list(400),
    manager_max_commitments: list(400),
    ...Object.fromEntries(
      Object.entries(FIGURES).map(([name, [type]]) => [name, `${type} generated always as (${name}_of(notes)) stored`]),
    ),
  },
  constraints: [
    'constraint transactions_notes check (notes_hold(notes))',
    'constraint transactions_most_notes check (notes_within(notes))',
    'constraint transactions_terms check (note_rules_hold(notes))',
    'constraint transactions_timelines check (timelines_fit(type, notes))',
    `constraint transactions_industries check (not jsonb_path_exists(industries, '$[*] ? (@.type() != "string")')
      and not jsonb_path_exists(industries, '$[*] ? (!(@ like_regex "^.{1,250}$" flag "s"))'))`,
    ...named('transactions', 'title'),
  ],
});

/** SQL of a JSON value, without JSON's null. */
const stated = (value: string): string => `nullif(${value}, 'null')`;

/** The terms of a note: `activeTranche`, `timelineInForce` and `commitmentTermsInForce` in SQL. */
const inForce = `
create function active_tranche(note jsonb) returns jsonb immutable parallel safe language plpgsql as $$ begin
  return (select tranche from jsonb_array_elements(note -> 'tranches') with ordinality as one (tranche, place)
    where tranche -> 'sequenceActivated' = 'true' order by place limit 1);
end $$;
create function last_due_date(note jsonb) returns date stable parallel safe language plpgsql as $$
declare
  timeline jsonb := coalesce(${stated(`active_tranche(note) #> '{terms,timeline}'`)}, ${stated(`note #> '{terms,timeline}'`)},
    ${stated(`note #> '{tranches,0,terms,timeline}'`)});
begin
  return least((timeline ->> 'maturity')::date, (timeline ->> 'termination')::date);
end $$;
create function note_commitments(note jsonb) returns table (currency text, amount numeric) stable language plpgsql as $$
declare
  active jsonb := active_tranche(note);
begin
  return query select commitment #>> '{amount,currency}', (commitment #>> '{amount,sum}')::numeric
  from jsonb_array_elements(case when active is null and ${stated(`note #> '{terms,commitments}'`)} is not null
    then note #> '{terms,commitments}'
    else (select coalesce(jsonb_agg(commitment), '[]')
      from jsonb_array_elements(note -> 'tranches') as tranche,
        jsonb_array_elements(coalesce(${stated(`tranche #> '{terms,commitments}'`)}, '[]')) as commitment
      where active is null or (tranche ->> 'sequence')::integer <= (active ->> 'sequence')::integer) end) as commitment;
end $$;`;

/** Transactions (facilities) with their notes, tranches and terms. */
export class Transactions extends Migration {
  override up(): void {
    this.addSql(
      [
        notes,
        terms,
        rules,
        figures,
        transactions,
        inForce,
        boundMoney('transactions', { money: ['terms_fit(notes)'] }),
      ].join('\n'),
    );
  }
}
