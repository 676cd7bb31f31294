package mcp

import (
	"context"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"quern"
)

// prompt is common work that a person starts with a few words.
type prompt struct {
	name, title, about string
	arguments          []*sdk.PromptArgument // all of them are required
	// words are what the assistant is told, with each argument's value in its braces.
	words string
}

// mostArgument is how many characters an argument of a prompt may have.
const mostArgument = quern.MaxQuestion

var prompts = []prompt{
	{
		"explore_dataset", "Get to know a dataset", "Says what a dataset is about, what stands out in it, and what can be asked of it.",
		[]*sdk.PromptArgument{{Name: "dataset", Description: "OWNER/NAMESPACE/DATASET", Required: true}},
		"Get to know the dataset {dataset}. Call describe_dataset and sample_rows, and read_knowledge of its namespace. Then tell me in a few " +
			"sentences what one row of it is, what time and places it covers, which columns matter, and what is missing or odd. " +
			"End with three questions that it can answer.",
	},
	{
		"answer_question", "Answer a question", "Answers a question from the datasets of a namespace, with the query that shows it.",
		[]*sdk.PromptArgument{
			{Name: "namespace", Description: "OWNER/NAMESPACE", Required: true},
			{Name: "question", Description: "the question", Required: true},
		},
		"Answer this question from the data of the namespace {namespace}: {question}\nCall ask first. If it asks back, put its question to me. " +
			"If the answer is doubtful, read its query and notes, check it with run_query, and say what you found. " +
			"Give the number or the rows, the query they come from, and whether anything was cut.",
	},
	{
		"check_quality", "Check the quality of a dataset", "Looks for missing, repeated and impossible values.",
		[]*sdk.PromptArgument{{Name: "dataset", Description: "OWNER/NAMESPACE/DATASET", Required: true}},
		"Check the quality of the dataset {dataset}. Call describe_dataset, then use run_query to count missing values, repeated rows, values out of " +
			"range and spellings of the same thing. Report what you found in a table with the number of rows concerned and the query for each.",
	},
	{
		"load_file", "Load a file", "Uploads a file and makes a dataset of it.",
		[]*sdk.PromptArgument{
			{Name: "file", Description: "the path of the file", Required: true},
			{Name: "dataset", Description: "NAMESPACE/DATASET", Required: true},
		},
		"Load the file {file} into the dataset {dataset}. Find its size in bytes, call prepare_upload, send each part to its URL by HTTP PUT, " +
			"then call ingest. Afterwards call describe_dataset and tell me what the columns became and which rows were rejected.",
	},
}

// PromptNames returns the names of all prompts.
func PromptNames() []string {
	names := make([]string, len(prompts))
	for i, p := range prompts {
		names[i] = p.name
	}
	return names
}

// addPrompts makes the prompts known to the protocol.
func addPrompts(server *sdk.Server) {
	for _, p := range prompts {
		server.AddPrompt(&sdk.Prompt{Name: p.name, Title: p.title, Description: p.about, Arguments: p.arguments},
			func(ctx context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
				words, err := p.fill(req.Params.Arguments)
				if err != nil {
					return nil, failure(ctx, err)
				}
				return &sdk.GetPromptResult{Description: p.about, Messages: []*sdk.PromptMessage{
					{Role: "user", Content: &sdk.TextContent{Text: words}},
				}}, nil
			})
	}
}

// fill puts arguments into the words of a prompt.
func (p prompt) fill(given map[string]string) (string, error) {
	var wrong []quern.SubError
	var pairs []string
	for _, a := range p.arguments {
		value := strings.TrimSpace(given[a.Name])
		switch {
		case value == "":
			wrong = append(wrong, quern.Fault("required", a.Name, "a value is required"))
		case len([]rune(value)) > mostArgument:
			wrong = append(wrong, quern.Fault("maxLength", a.Name, fmt.Sprintf("must have at most %d characters", mostArgument)))
		}
		pairs = append(pairs, "{"+a.Name+"}", value)
	}
	if len(wrong) > 0 {
		return "", invalid(wrong...)
	}
	return strings.NewReplacer(pairs...).Replace(p.words), nil
}
