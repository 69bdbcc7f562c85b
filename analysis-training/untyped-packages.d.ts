// Types of untyped npm packages that the evaluation uses.
declare module "sentiment" {
  export default class Sentiment {
    analyze(text: string): { score: number; comparative: number };
  }
}
declare module "vader-sentiment" {
  const vader: {
    SentimentIntensityAnalyzer: { polarity_scores(text: string): { compound: number } };
  };
  export default vader;
}
declare module "wink-sentiment" {
  export default function sentiment(text: string): { score: number; normalizedScore: number };
}
