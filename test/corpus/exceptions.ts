/** Error and review findings on clean twins that a curator would want to see all the same: each with its reason. */
export const EXCEPTIONS: readonly { readonly pair: string; readonly rule: string; readonly reason: string }[] = [];
