import { Button } from "../../ui/button";

/** Questions to choose from: each is asked when it is pressed. */
export function Choices({ questions, onAsk }: { questions: string[]; onAsk?: (question: string) => void }) {
  return questions.map((question) => (
    <Button key={question} className="choice" isDisabled={!onAsk} onPress={() => onAsk?.(question)}>
      {question}
    </Button>
  ));
}
