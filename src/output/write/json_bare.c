/* See json_bare.h. The picture of the model is in scene.json. */
#include "output/write/json_bare.h"

#include "model/result/scene.h"

void rbv_json_bare(RbvJson *json, const RbvResult *result) {
    rbv_json_string(json, "roberval", rbv_version());
    rbv_json_string(json, "analysis", result->analysis);
    rbv_json_open(json, "model", "{");
    rbv_json_string(json, "title", result->title);
    rbv_json_string(json, "file", result->file);
    rbv_json_close(json, "}");
    rbv_json_string(json, "failure", result->scene->failed.text);
}
