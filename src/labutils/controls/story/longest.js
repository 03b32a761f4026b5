// How long a story may become.
const LONGEST = 256; // tokens, as many as the little GPT-2 has positions: a larger model is not waited for any longer

/**
 * How many tokens a story has at most.
 * @param {{maxTokens: number}} info of the model
 */
export const most = ({ maxTokens }) => Math.min(maxTokens, LONGEST);
