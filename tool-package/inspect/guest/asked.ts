/** What an entry asked of its machine while it was loaded: where it did, another machine may have other tools. */

type Question = 'env' | 'flag' | 'platform';

const asked = new Set<Question>();

export const noteAsked = (question: Question): void => void asked.add(question);
export const listAsked = (): string[] => [...asked];
