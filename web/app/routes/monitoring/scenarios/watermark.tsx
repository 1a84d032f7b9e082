/** Covers the page, on screen and in print, so that its figures are not mistaken for a certificate. */
export const ScenarioWatermark = () => (
  <div aria-hidden="true" className="scenario-watermark">
    Scenario
  </div>
);

/** Beside the title of a page of scenarios, in their own colour. */
export const ScenarioChip = () => (
  <span className="inline-flex h-5 items-center rounded-full bg-scenario-soft px-[7px] text-xs font-medium whitespace-nowrap text-scenario">
    Scenario, not a certificate
  </span>
);
