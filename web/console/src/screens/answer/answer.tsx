import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { sharedAnswer } from "../../api/queries";
import { moment } from "../../app/format";
import { useTitle } from "../../app/shell";
import { Icon } from "../../ui/icon";
import { Failure, Loading } from "../../ui/state";
import { fromAnswer } from "../ask/runs";
import { TurnView } from "../ask/turn";

/** An answer that somebody shared by a link, as it was stored. */
export function SharedAnswer() {
  const { shareId } = useParams({ from: "/answers/$shareId" });
  const found = useQuery(sharedAnswer(shareId));
  useTitle(found.data?.question);
  if (found.isError)
    return (
      <div className="page">
        <Failure page error={found.error}>
          <Link to="/" className="button plain m">
            Go home
          </Link>
        </Failure>
      </div>
    );
  if (!found.data)
    return (
      <div className="page">
        <Loading lines={6} />
      </div>
    );
  const { question, username, owner, namespace, askedAt, ...result } = found.data;
  return (
    <div className="page thread-width">
      <div className="note info shared-by">
        <Icon name="link" />
        <div className="grow">
          <strong>{username}</strong> shared this answer, asked {moment(askedAt)} about {namespace}.
        </div>
      </div>
      <TurnView
        heading="h1"
        owner={owner}
        namespace={namespace}
        run={{
          runId: shareId,
          conversationId: "",
          question,
          status: "completed",
          reasoning: "",
          answering: false,
          lost: false,
          ...fromAnswer(result),
        }}
      />
    </div>
  );
}
