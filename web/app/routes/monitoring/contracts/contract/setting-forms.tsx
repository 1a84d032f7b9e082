import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import {
  LIMIT_OVERLAP_LABELS,
  LIMIT_OVERLAP_MEANINGS,
  LIMIT_OVERLAPS,
} from '@tapeline/domain/facilities/contract.schema.ts';
import type { ReactNode } from 'react';
import { formatCount, formatFigure } from '../../../../components/figures/format.ts';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { ChoiceSearch } from '../../../../components/forms/choice-search.tsx';
import { IntentForm } from '../../../../components/forms/intent-form.tsx';
import { Chip } from '../../../../components/page/chip.tsx';
import { Panel } from '../../../../components/page/section.tsx';
import { paths } from '../../../../paths.ts';
import { CERTIFYING_LABELS } from '../certifying-labels.ts';
import type { ContractView } from '../contract-view.server.ts';

/** What the forms of the settings share. */
const settingOf = (contract: ContractView) => ({
  sent: { version: contract.version },
  submitting: 'Saving',
  cancelTo: paths.contract(contract.id, { tab: contract.section }),
});

/** The cut-off date from which the contract applies, and the mapping whose fields its rules use. */
export const DetailsForm = ({ contract }: { contract: ContractView }) => (
  <Panel padded className="mb-[26px]">
    {contract.mappingCounts ? (
      <ChoiceSearch
        id="contract-find-mapping"
        name="findMapping"
        noun={['mapping version', 'mapping versions']}
        counts={contract.mappingCounts}
      />
    ) : null}
    <IntentForm
      {...settingOf(contract)}
      intent="details"
      values={{ title: contract.title, cutOffDate: contract.cutOffDate, assetsETL: contract.mappingId }}
      lines={[
        { name: 'title', label: 'Title (optional)' },
        {
          name: 'cutOffDate',
          label: 'Effective cut-off date',
          type: 'date',
          hint: 'Applies to tapes with this cut-off date or later',
        },
        { name: 'assetsETL', label: 'Mapping', hint: 'Rules can use its fields', choices: contract.mappings },
      ]}
      submit="Save details"
      className="grid gap-4 sm:grid-cols-3"
    />
  </Panel>
);

/** A setting below the rules of a part: what it is now, with a link to its form, or the form. */
function Setting({
  contract,
  edit,
  isOpen,
  form,
  children,
}: {
  contract: ContractView;
  edit: string;
  isOpen: boolean;
  form: ReactNode;
  children: ReactNode;
}) {
  return (
    <Panel padded className="mt-3">
      {isOpen ? (
        form
      ) : (
        <div className="flex items-center gap-3 text-sm">
          {children}
          {contract.canEdit ? (
            <LinkButton to={paths.contract(contract.id, { tab: contract.section, edit })} className="h-7">
              Change
            </LinkButton>
          ) : null}
        </div>
      )}
    </Panel>
  );
}

/** The rate for every asset that no case matches. @param taken the number of those assets on the trial's tape */
export const DefaultRate = ({ contract, taken }: { contract: ContractView; taken: number | null }) => (
  <Setting
    contract={contract}
    edit="default"
    isOpen={contract.editsDefaultRate}
    form={
      <IntentForm
        {...settingOf(contract)}
        intent="defaultRate"
        values={{ defaultRate: String(contract.defaultRatePercent) }}
        lines={[
          {
            name: 'defaultRate',
            label: 'Default rate',
            inputMode: 'decimal',
            unit: '%',
            className: 'max-w-40',
          },
        ]}
        submit="Save rate"
      />
    }
  >
    <span className="flex-1">
      All other assets use the <b className="font-semibold">default rate</b>
    </span>
    {taken === null ? null : <Chip>{formatCount(taken, 'asset')}</Chip>}
    <span className="figures font-semibold">{formatFigure(contract.defaultRatePercent)}%</span>
  </Setting>
);

/** How limits that cover the same asset combine. */
export const LimitOverlap = ({ contract }: { contract: ContractView }) => (
  <Setting
    contract={contract}
    edit="overlap"
    isOpen={contract.editsOverlap}
    form={
      <IntentForm
        {...settingOf(contract)}
        intent="overlap"
        values={{ overlap: contract.overlap }}
        lines={[
          {
            name: 'overlap',
            label: 'Overlapping limits',
            className: 'max-w-72',
            choices: choicesOf(LIMIT_OVERLAP_LABELS),
          },
        ]}
        submit="Save setting"
      >
        <dl className="space-y-1 text-xs text-ink-3">
          {LIMIT_OVERLAPS.map((value) => (
            <div key={value}>
              <dt className="inline font-medium text-ink-2">{LIMIT_OVERLAP_LABELS[value]}: </dt>
              <dd className="inline">{LIMIT_OVERLAP_MEANINGS[value]}</dd>
            </div>
          ))}
        </dl>
      </IntentForm>
    }
  >
    <div className="min-w-0 flex-1">
      <p>
        Overlapping limits: <b className="font-semibold">{LIMIT_OVERLAP_LABELS[contract.overlap]}</b>
      </p>
      <p className="mt-0.5 text-xs text-ink-3">{LIMIT_OVERLAP_MEANINGS[contract.overlap]}</p>
    </div>
  </Setting>
);

/** Beyond what a tape is asked about before it is published. */
export const TapeLimits = ({ contract }: { contract: ContractView }) => (
  <Setting
    contract={contract}
    edit="tapeLimits"
    isOpen={contract.editsTapeLimits}
    form={
      <IntentForm
        {...settingOf(contract)}
        intent="tapeLimits"
        values={{
          changedPercent: contract.tapeLimits.changedPercent ?? '',
          leftPercent: contract.tapeLimits.leftPercent ?? '',
        }}
        lines={[
          {
            name: 'changedPercent',
            label: 'Loans with changes that should not happen (optional)',
            hint: 'At most, in per cent of the loans on both tapes',
            inputMode: 'decimal',
          },
          {
            name: 'leftPercent',
            label: 'Balance that is no longer reported (optional)',
            hint: 'At most, in per cent of the balance of the tape before',
            inputMode: 'decimal',
          },
        ]}
        submit="Save setting"
      />
    }
  >
    <div className="min-w-0 flex-1">
      <p>
        Tapes are confirmed before publishing: <b className="font-semibold">{contract.tapeLimitsInWords}</b>
      </p>
      <p className="mt-0.5 text-xs text-ink-3">
        Each tape is compared with the previous one. Above a limit, it waits for an answer before it is published.
      </p>
    </div>
  </Setting>
);

/** Whether the borrower certifies each borrowing base, and whether draws wait for that. */
export const Certifying = ({ contract }: { contract: ContractView }) => (
  <Setting
    contract={contract}
    edit="certification"
    isOpen={contract.editsCertification}
    form={
      <IntentForm
        {...settingOf(contract)}
        intent="certification"
        values={{ certifying: contract.certifying, text: contract.certificationText }}
        lines={[
          {
            name: 'certifying',
            label: 'The borrower certifies',
            className: 'max-w-96',
            choices: choicesOf(CERTIFYING_LABELS),
          },
          {
            name: 'text',
            label: 'Certification text (optional)',
            hint: 'What the borrower signs. Blank for the text of the printed certificate',
          },
        ]}
        submit="Save setting"
      />
    }
  >
    <div className="min-w-0 flex-1">
      <p>
        The borrower certifies: <b className="font-semibold">{CERTIFYING_LABELS[contract.certifying]}</b>
      </p>
      <p className="mt-0.5 text-xs text-ink-3">
        {contract.certifying === 'beforeDraws'
          ? 'A draw is checked against the latest base whose certificate you accepted. Without one, its base is missing.'
          : 'Draws are checked against the latest borrowing base, whether or not it is certified.'}
      </p>
      {contract.certificationText ? (
        <p className="mt-0.5 text-xs break-words text-ink-3">“{contract.certificationText}”</p>
      ) : null}
    </div>
  </Setting>
);
