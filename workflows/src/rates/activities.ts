export interface RateActivities {
  /** Gets the rates of the service and stores them. @throws a Refusal if the answer cannot be used */
  fetchRates(): Promise<RefreshedRates>;
  /** Records that a refresh failed, and why, for the screen. */
  recordFailedRefresh(input: { reason: string }): Promise<void>;
}

export interface RefreshedRates {
  outcome: 'updated' | 'unchanged';
  ratesOn: string;
  currencyCount: number;
}
